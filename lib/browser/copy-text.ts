'use client';

/**
 * Puts a text into the clipboard. To be called while a click is handled. Pages on plain HTTP have no clipboard of
 * the modern kind; there the older way is taken, which every browser still has.
 * @returns whether it is there now; never rejects
 */
export async function copyText(text: string): Promise<boolean> {
  // Typed as always there, which it is on HTTPS and on localhost only.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return copyBySelection(text);
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** By a selection, not by a field that takes the focus: dialogs would take the focus back at once. */
function copyBySelection(text: string): boolean {
  const selection = document.getSelection();
  if (selection === null) return false;
  const before = Array.from({ length: selection.rangeCount }, (_, index) => selection.getRangeAt(index));
  const carrier = document.body.appendChild(document.createElement('span'));
  carrier.textContent = text;
  carrier.className = 'fixed top-0 left-0 opacity-0 whitespace-pre select-text';
  carrier.ariaHidden = 'true';
  let hasCopied = false;
  // The text itself, not what a browser makes of how it is laid out.
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
