'use client';

/**
 * Copies a text. Must be called in a click handler. Uses `execCommand` on plain HTTP, where the Clipboard API is
 * missing.
 * @returns whether the text was copied; never rejects
 */
export async function copyText(text: string): Promise<boolean> {
  // TypeScript declares `clipboard` as always present, but only HTTPS and localhost have it.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return copyBySelection(text);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copies through a selection, because a dialog would take focus from a temporary field. */
function copyBySelection(text: string): boolean {
  const selection = document.getSelection();
  if (selection === null) return false;
  const before = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index));
  const carrier = document.body.appendChild(document.createElement('span'));
  carrier.textContent = text;
  carrier.className = 'fixed top-0 left-0 opacity-0 whitespace-pre select-text';
  carrier.ariaHidden = 'true';
  let hasCopied = false;
  // Copies the text itself, not its rendered form.
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    hasCopied = event.clipboardData !== null;
  };
  document.addEventListener('copy', onCopy, { capture: true });
  try {
    selection.selectAllChildren(carrier);
    return document.execCommand('copy') && hasCopied;
  } catch {
    return false;
  } finally {
    document.removeEventListener('copy', onCopy, { capture: true });
    carrier.remove();
    selection.removeAllRanges();
    before.forEach((range) => selection.addRange(range));
  }
}
