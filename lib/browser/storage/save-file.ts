export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }));
}

export function saveBlob(name: string, bytes: Blob): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download must have begun before its URL is revoked.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
