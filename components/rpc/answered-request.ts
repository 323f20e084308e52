import type { StoredDraft } from '@/lib/browser/rpc/rpc-draft';
import type { SentRequest } from './perform-call';

/** Returns whether the form has the same network and request as the sent call. Ignores whitespace between tokens. */
export function asksTheSame(
  sent: Pick<SentRequest, 'network' | 'text'>,
  draft: Pick<StoredDraft, 'network' | 'text'>,
): boolean {
  return sent.network === draft.network && (sent.text === draft.text || packed(sent.text) === packed(draft.text));
}

/** Removes whitespace outside strings. */
function packed(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_match, quoted: string | undefined) => quoted ?? '');
}
