'use client';

import type { PicturedMessage } from '@/lib/client/private-chat';
import { IMAGE_LINE } from '@/lib/protocol/chat/attachments';
import type { ContentPart } from '@/lib/protocol/chat/folded-conversation';
import type { ChatMessage } from './conversation';
import { chatFileWords as words } from './file-words';
import { keptPicture } from './kept-pictures';

const PICTURES_SENT_MAX = 8;

/**
 * Adds the newest eight pictures to their messages. Replaces each older picture with a line of text.
 * @throws {Error} if a picture of the last message cannot be sent
 */
export async function picturedMessages(
  messages: readonly ChatMessage[],
  { id: modelId, can }: { id: string; can: { see: boolean } },
  load: (id: string) => Promise<Blob | null> = keptPicture,
): Promise<PicturedMessage[]> {
  const pictured: PicturedMessage[] = [];
  let sent = 0;
  for (const { role, content, pictures = [] } of [...messages].reverse()) {
    const isLast = pictured.length === 0;
    if (isLast && pictures.length > 0 && !can.see) throw new Error(words.blind(modelId));
    const parts: ContentPart[] = content === '' ? [] : [{ type: 'text', text: content }];
    for (const { id, name } of pictures) {
      const picture = can.see && sent < PICTURES_SENT_MAX ? await load(id) : null;
      if (picture === null && isLast) throw new Error(words.goneToSend(name));
      if (picture !== null) sent++;
      parts.push(
        picture === null
          ? { type: 'text', text: IMAGE_LINE }
          : { type: 'image_url', image_url: { url: await dataUrlOf(picture) } },
      );
    }
    const isText = parts.every(({ type }) => type === 'text');
    pictured.push({
      role,
      content: isText ? parts.map((part) => ('text' in part ? part.text : '')).join('\n') : parts,
    });
  }
  return pictured.reverse();
}

function dataUrlOf(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(words.unread));
    reader.readAsDataURL(picture);
  });
}
