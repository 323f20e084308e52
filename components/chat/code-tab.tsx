'use client';

import { CodeView } from '@/components/samples/code-view';
import { Notice } from '@/components/ui/notice';
import { useBrowserStore } from '@/lib/browser/storage/stored-value';
import type { PicturedMessage } from '@/lib/client/private-chat';
import { boundsOf, type ChatMessage, messagesOf, responseFormatOf } from './conversation';
import type { Chat } from './use-chat';
import { useWorkloadPins } from './privacy/kept-pins';
import { chatSamples, privateChatSamples } from './chat-samples';
import { chatCodeWords as words } from './setup-words';

const never = () => () => undefined;
const PLACEHOLDER: ChatMessage = { role: 'user', content: 'How do I top up with USDC?' };

/** Leaves out the bytes of pictures, which would fill the sample. */
function withPlaceholders({ role, content, pictures }: ChatMessage): PicturedMessage {
  if (pictures === undefined) return { role, content };
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,…' } } as const;
  return { role, content: [{ type: 'text', text: content }, ...pictures.map(() => image)] };
}

export function CodeTab({ chat }: { chat: Chat }) {
  const pins = useWorkloadPins();
  const origin = useBrowserStore(
    never,
    () => window.location.origin,
    () => '',
  );
  const { model, settings, conversation, credential, schema, privacy } = chat;
  if (model === null || origin === '')
    return <p className="px-6 py-16 text-center text-sm text-dim">{words.noModel}</p>;
  const turns = conversation?.turns ?? [];
  const said = messagesOf({ systemPrompt: settings.systemPrompt, turns });
  const messages = (turns.length === 0 ? [...said, PLACEHOLDER] : said).map(withPlaceholders);
  const responseFormat = schema.kind === 'strict' ? responseFormatOf(schema.schema) : null;
  const bounds = boundsOf(settings);
  const isSimulated = privacy.kind === 'judged' && privacy.attestation.verdict.conclusion === 'simulated';
  return (
    <>
      {model.can.encrypt && (
        <Notice tone="info" title={words.noCurlTitle} className="m-3 lg:m-4">
          {words.noCurl}
        </Notice>
      )}
      <CodeView
        key={model.can.encrypt ? 'private' : 'plain'}
        credential={credential.presented}
        samplesWith={(presented) =>
          model.can.encrypt
            ? privateChatSamples({
                origin,
                credential: presented,
                model: model.id,
                messages,
                responseFormat,
                bounds,
                pins,
                isSimulated,
              })
            : chatSamples({ origin, credential: presented, model: model.id, messages, responseFormat, bounds })
        }
      />
    </>
  );
}
