import type { KeyName } from '@/lib/client';

/** A key as it is told from others: its name, if it has one, and its last six characters. */
export function keyNameText({ description, last6 }: KeyName): string {
  return `${description || 'Unnamed key'} …${last6}`;
}
