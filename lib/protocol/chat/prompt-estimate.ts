import { ENCRYPTED_CONTENT_HEX_MIN, isEncryptedContent } from '@/lib/protocol/e2ee/codec';
import { ED25519_CONTENT_HEX_MIN, isEd25519Content } from '@/lib/protocol/e2ee/ed25519-codec';
import type { MessageScheme } from '../e2ee/request-check';
import type { ChatRequest } from './chat-request';
import { estimateTokens } from './token-usage';

/** Estimated tokens of an image, an audio part or a file. */
const ATTACHMENT_TOKENS = 512;

const encoder = new TextEncoder();

/**
 * Estimates a prompt's tokens, for upstreams that report none. Counts a quarter of the bytes of message texts
 * (decrypted size), tools and tool calls, plus a fixed number per attachment.
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

const SEALED: Readonly<Record<MessageScheme, { isEncrypted: (content: string) => boolean; hexMin: number }>> = {
  ecdsa: { isEncrypted: isEncryptedContent, hexMin: ENCRYPTED_CONTENT_HEX_MIN },
  ed25519: { isEncrypted: isEd25519Content, hexMin: ED25519_CONTENT_HEX_MIN },
};

function sealedBytesOf(content: string, scheme: MessageScheme): number | null {
  const { isEncrypted, hexMin } = SEALED[scheme];
  return isEncrypted(content) ? (content.length - hexMin) / 2 : null;
}

function textOf(part: unknown): string | null {
  if (typeof part === 'string') return part;
  const text = (part as { text?: unknown } | null)?.text;
  return typeof text === 'string' ? text : null;
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
