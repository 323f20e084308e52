/** Saves a text as a file, as if it had been downloaded. */
export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Saves bytes as a file, as if they had been downloaded. */
export function saveBlob(name: string, bytes: Blob): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has to have begun before its source goes.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
