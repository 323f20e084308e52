import { ENCRYPTED_CONTENT_HEX_MIN, isEncryptedContent } from '../e2ee/content';
import { ED25519_CONTENT_HEX_MIN, isEd25519Content } from '../e2ee/ed25519-content';
import type { MessageScheme } from '../e2ee/request-check';
import type { ChatRequest } from './chat-request';
import { estimateTokens } from './token-usage';

/** What a picture, a recording or a file in a message is taken for. */
const ATTACHMENT_TOKENS = 512;

const encoder = new TextEncoder();

/**
 * Tokens of a prompt where the upstream does not count them: a quarter of the bytes of what the model reads. That is
 * the text of the messages and the descriptions of tools, and nothing of how the request is written down; of encrypted
 * messages it is what is in the ciphertext.
 */
export function estimatePromptTokens(
  { messages, tools, functions }: Pick<ChatRequest, 'messages' | 'tools'> & { functions?: unknown },
  { encrypted }: { encrypted: MessageScheme | null } = { encrypted: null },
): number {
  let bytes = [tools, functions].reduce(
    (sum: number, described) =>
      sum + (Array.isArray(described) && described.length > 0 ? bytesOf(JSON.stringify(described)) : 0),
    0,
  );
  let attachments = 0;
  for (const { content, tool_calls: calls } of messages) {
    if (typeof content === 'string') bytes += (encrypted && sealedBytesOf(content, encrypted)) ?? bytesOf(content);
    else if (Array.isArray(content)) {
      for (const part of content as unknown[]) {
        const text = textOf(part);
        if (text === null) attachments++;
        else bytes += bytesOf(text);
      }
    }
    if (Array.isArray(calls)) bytes += bytesOf(JSON.stringify(calls));
  }
  return estimateTokens(bytes) + attachments * ATTACHMENT_TOKENS;
}

/** What encrypted content is known by, and how many of its digits are none of the text. */
const SEALED: Readonly<Record<MessageScheme, { isEncrypted: (content: string) => boolean; hexMin: number }>> = {
  ecdsa: { isEncrypted: isEncryptedContent, hexMin: ENCRYPTED_CONTENT_HEX_MIN },
  ed25519: { isEncrypted: isEd25519Content, hexMin: ED25519_CONTENT_HEX_MIN },
};

/** Bytes of the text in encrypted content; null for what is none. */
function sealedBytesOf(content: string, scheme: MessageScheme): number | null {
  const { isEncrypted, hexMin } = SEALED[scheme];
  return isEncrypted(content) ? (content.length - hexMin) / 2 : null;
}

/** The text of a part of a message; null for one that is no text. */
function textOf(part: unknown): string | null {
  if (typeof part === 'string') return part;
  const text = (part as { text?: unknown } | null)?.text;
  return typeof text === 'string' ? text : null;
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
