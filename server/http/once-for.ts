/**
 * Remembers what was made of an object, for as long as there is that object: schemas are compiled once in a process, however
 * many web servers it builds (tests build hundreds).
 */
export function onceFor<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, { value: V }>();
  return (of) => {
    let found = made.get(of);
    if (!found) {
      found = { value: make(of) };
      made.set(of, found);
    }
    return found.value;
  };
}
