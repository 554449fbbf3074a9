/** Lets the browser save what lies at an address of ours: it streams to the disk, however large, under the name that the server says. */
export function saveFile(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
