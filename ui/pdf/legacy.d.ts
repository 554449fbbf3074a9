/** The build for older browsers (WeChat, Huawei): its page and its worker belong together. It ships no types of its own. */
declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export { GlobalWorkerOptions, getDocument, TextLayer, VerbosityLevel, version } from 'pdfjs-dist';
}
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url' {
  /** The address of the worker. */
  const address: string;
  export default address;
}
