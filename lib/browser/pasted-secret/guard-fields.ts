'use client';

import { noteSecret } from './found-secret';
import { recognizeSecret, type SecretKind } from './recognize-secret';

const WORDS: Record<SecretKind, string> = {
  'private-key': 'the private key of a wallet',
  'maybe-private-key': 'the private key of a wallet',
  'extended-key': 'the extended private key of a wallet',
  'seed-phrase': 'the seed phrase of a wallet',
  'key-file': 'a private key',
};

/** Of these there is no doubt: nothing else looks like them. */
const CERTAIN: ReadonlySet<SecretKind> = new Set(['extended-key', 'key-file']);

type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps secrets of wallets out of every field of the page, before any code of the page has seen them: what is pasted,
 * dropped or put in by a program. Fields within `data-takes-hashes` take what may be a hash or a signature; where it
 * is `bare`, 64 digits without `0x` too.
 *
 * @returns what ends that
 */
export function guardFields(): () => void {
  /** What stood in a field before the event at hand. */
  const before = new WeakMap<TextField, string>();
  let isAllowed = false;
  const guard = (event: Event, target: EventTarget | null, text: string | null | undefined): boolean => {
    const kind = text && !isAllowed ? recognizeSecret(text) : null;
    // Who writes twelve short words by hand is more likely to write a sentence.
    if (
      !text ||
      kind === null ||
      (kind === 'seed-phrase' && isTyping(event)) ||
      !(target instanceof HTMLElement) ||
      isTaken(target, kind)
    )
      return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    const putIn = () => {
      isAllowed = true;
      target.focus();
      document.execCommand('insertText', false, text);
      isAllowed = false;
    };
    noteSecret({ words: WORDS[kind], putIn: CERTAIN.has(kind) ? null : putIn });
    return true;
  };
  const onPaste = (event: ClipboardEvent) =>
    void guard(event, event.target, event.clipboardData?.getData('text/plain'));
  const onDrop = (event: DragEvent) => void guard(event, event.target, event.dataTransfer?.getData('text/plain'));
  const onBeforeInput = (event: InputEvent) => {
    if (isField(event.target)) before.set(event.target, event.target.value);
    guard(event, event.target, event.data ?? event.dataTransfer?.getData('text/plain'));
  };
  const onFocus = (event: FocusEvent) => {
    if (isField(event.target)) before.set(event.target, event.target.value);
  };
  // Typed to its end, or put in by a password manager or a program.
  const onInput = (event: Event) => {
    const field = event.target;
    if (!isField(field)) return;
    const last = before.get(field) ?? '';
    if (guard(event, field, field.value)) field.value = recognizeSecret(last) === null ? last : '';
    before.set(field, field.value);
  };
  const options = { capture: true };
  window.addEventListener('paste', onPaste, options);
  window.addEventListener('drop', onDrop, options);
  window.addEventListener('beforeinput', onBeforeInput, options);
  window.addEventListener('focusin', onFocus, options);
  window.addEventListener('input', onInput, options);
  return () => {
    window.removeEventListener('paste', onPaste, options);
    window.removeEventListener('drop', onDrop, options);
    window.removeEventListener('beforeinput', onBeforeInput, options);
    window.removeEventListener('focusin', onFocus, options);
    window.removeEventListener('input', onInput, options);
  };
}

function isTyping(event: Event): boolean {
  return event instanceof InputEvent && event.inputType === 'insertText' && event.data?.length === 1;
}

function isTaken(target: Element, kind: SecretKind): boolean {
  const taken = target.closest('[data-takes-hashes]')?.getAttribute('data-takes-hashes');
  return (kind === 'maybe-private-key' && taken !== undefined) || (kind === 'private-key' && taken === 'bare');
}

function isField(target: EventTarget | null): target is TextField {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
