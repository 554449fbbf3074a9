/**
 * Gives browsers before Chrome 119 and Safari 17.4 what the legacy build of pdf.js takes for granted (ECMAScript 2024,
 * `Promise.withResolvers`). Imported before it, by the page and by its worker.
 */
if (typeof Promise.withResolvers !== 'function')
  Promise.withResolvers = function withResolvers<T>() {
    let resolve: PromiseWithResolvers<T>['resolve'] = () => undefined;
    let reject: PromiseWithResolvers<T>['reject'] = () => undefined;
    const promise = new Promise<T>((fulfil, refuse) => {
      resolve = fulfil;
      reject = refuse;
    });
    return { promise, resolve, reject };
  };
