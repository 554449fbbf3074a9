/** Lets the browser save a text as a file of this name and type. */
export function saveText(fileName: string, type: string, text: string): void {
  saveBlob(fileName, new Blob([text], { type }));
}

/** Lets the browser save bytes as a file of this name. */
export function saveBlob(fileName: string, bytes: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = fileName;
  link.click();
  // The download has its own hold of the bytes by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
