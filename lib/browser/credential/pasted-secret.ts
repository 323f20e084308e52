'use client';

import { createListeners } from '@/lib/browser/storage/stored-value';
import { useSyncExternalStore } from 'react';

const WORDS: Record<SecretKind, string> = {
  'private-key': 'the private key of a wallet',
  'maybe-private-key': 'the private key of a wallet',
  'private-key-bytes': 'the private key of a wallet',
  'extended-key': 'the extended private key of a wallet',
  'seed-phrase': 'the seed phrase of a wallet',
  'key-file': 'a private key',
};

const CERTAIN: ReadonlySet<SecretKind> = new Set(['extended-key', 'key-file']);

type TextField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps pasted, dropped or filled-in wallet secrets out of every field, before other code of the page sees them. Fields
 * inside an element with the attribute `data-takes-hashes` accept text that may be a hash or a signature. If the
 * attribute's value is `bare`, these fields also accept 64 hex digits without `0x`.
 * @returns function that removes the guard
 */
export function guardFields(): () => void {
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
  // Catches secrets that the user typed key by key, or that a password manager or program filled in.
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

export interface FoundSecret {
  words: string;
  /** Inserts the text despite the warning; null if the text is certainly a secret. */
  putIn: (() => void) | null;
}

let found: FoundSecret | null = null;
const listeners = createListeners();

function noteSecret(next: FoundSecret): void {
  change(next);
}

/** Returns the last warning; null if no warning is shown. */
export function useFoundSecret(): FoundSecret | null {
  return useSyncExternalStore(
    listeners.subscribe,
    () => found,
    () => null,
  );
}

export function dismissSecret(): void {
  change(null);
}

/** Inserts the text after the user has confirmed that it is no secret. */
export function putSecretIn(): void {
  const putIn = found?.putIn;
  change(null);
  putIn?.();
}

function change(next: FoundSecret | null): void {
  found = next;
  listeners.tell();
}

type SecretKind =
  | 'private-key'
  | 'maybe-private-key'
  | 'private-key-bytes'
  | 'extended-key'
  | 'seed-phrase'
  | 'key-file';

/** Number of characters searched, from the start. A secret is at the beginning or is the whole text. */
const CHARACTERS_MAX = 20_000;
const PHRASE_LENGTHS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24]);

/**
 * Returns the kind of secret; null for other text. 64 hex digits are a private key. With `0x` they may be a hash, and
 * 64 bytes in base58 may be a signature; in either case, returns `maybe-private-key`.
 */
export function recognizeSecret(text: string): SecretKind | null {
  const trimmed = text.slice(0, CHARACTERS_MAX).trim();
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(trimmed)) return 'key-file';
  if (/\b[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}\b/.test(trimmed)) return 'extended-key';
  if (/^["']?[0-9a-fA-F]{64}["']?$/.test(trimmed)) return 'private-key';
  if (/^["']?0x[0-9a-fA-F]{64}["']?$/.test(trimmed)) return 'maybe-private-key';
  if (isSolanaKeyFile(trimmed)) return 'private-key-bytes';
  if (isSolanaKey(trimmed)) return 'maybe-private-key';
  return isSeedPhrase(trimmed) ? 'seed-phrase' : null;
}

/** Matches 64 bytes as a JSON array of numbers, the key file format of Solana's command line. */
function isSolanaKeyFile(text: string): boolean {
  return (
    /^\[\s*(?:\d{1,3}\s*,\s*){63}\d{1,3}\s*\]$/.test(text) &&
    (text.match(/\d+/g) ?? []).every((byte) => Number(byte) < 256)
  );
}

/** Matches 64 bytes in base58, Phantom's export format. A transaction signature looks the same. */
function isSolanaKey(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text);
}

/**
 * Matches BIP-39 words, which have 3 to 8 letters. An ordinary sentence of at least 12 words would have punctuation.
 */
function isSeedPhrase(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    PHRASE_LENGTHS.has(words.length) &&
    words.every((word) => /^[a-z]{3,8}$/.test(word)) &&
    new Set(words).size >= words.length * 0.75 &&
    !words.some((word) => COMMON.has(word))
  );
}

/** Short words that most sentences contain and that BIP-39 lacks. */
const COMMON: ReadonlySet<string> = new Set(
  'and are been but did does for from had has her him his how its not our out says she should the their them these was were which who whose why with would your could'.split(
    ' ',
  ),
);
