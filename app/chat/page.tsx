import { ChatPage } from '@/components/chat/chat-page';
import { KnownData } from '@/components/shell/known-data';
import { askKnownChatModels } from '@/lib/browser/reads/known-facts';
import type { Metadata } from 'next';
import { OWN_GATEWAY } from '../own-gateway';

export const metadata: Metadata = { title: 'Chat' };

export default async function ChatRoute() {
  return (
    <KnownData known={await askKnownChatModels(OWN_GATEWAY)}>
      <ChatPage />
    </KnownData>
  );
}
