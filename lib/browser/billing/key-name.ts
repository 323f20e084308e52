import type { KeyName } from '@/lib/client';

/** Formats a key's name and last six characters for people. */
export function keyNameText({ description, last6 }: KeyName): string {
  return `${description || 'Unnamed key'} …${last6}`;
}
