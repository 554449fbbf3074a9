/** What every name of a stored file looks like: the SHA-256 of its bytes, in a folder of its first two digits. */
export const FILE_NAME = /^[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,5}$/;
const FOLDER = '/files/';

/** The address under which a stored file is served to people who may see it. */
export const fileAddress = (name: string): string => `${FOLDER}${name}`;

/**
 * Whether an address is that of a stored file, letter by letter: the only pictures that a text may show. Any other address of
 * this site might do something when a browser asks for it, and one of another site would learn who reads.
 */
export function isFileAddress(address: string): boolean {
  return address.startsWith(FOLDER) && FILE_NAME.test(address.slice(FOLDER.length));
}
