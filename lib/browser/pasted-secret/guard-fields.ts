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

/** Kinds that cannot be confused with other texts. */
const CERTAIN: ReadonlySet<SecretKind> = new Set(['extended-key', 'key-file']);

type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps pasted, dropped or filled-in wallet secrets out of every field, before other code of the page sees them. Fields
 * inside an element with the attribute `data-takes-hashes` accept possible hashes and signatures. If its value is
 * `bare`, they also accept 64 hex digits without `0x`.
 * @returns function that removes the guard
 */
export function guardFields(): () => void {
  /** Content of each field before the current event. */
  const before = new WeakMap<TextField, string>();
  let isAllowed = false;
  const guard = (event: Event, target: EventTarget | null, text: string | null | undefined): boolean => {
    const kind = text && !isAllowed ? recognizeSecret(text) : null;
    // Twelve short words typed by hand are probably a sentence.
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
  // Catches secrets that the user typed to the end, or that a password manager or program filled in.
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
