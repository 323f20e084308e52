'use client';

import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import type { ChatView } from '@/lib/browser/chat/chat-view';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { chatWords as words } from '@/lib/browser/words/chat';
import { Lock, ShieldHalf, Waypoints } from 'lucide-react';
import type { ReactNode } from 'react';

/** Shows who will read the first message, and example questions. */
export function EmptyThread({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const { model, obstacle, running, privacy } = chat;
  const isSimulated = privacy.kind === 'judged' && privacy.attestation.verdict.conclusion === 'simulated';
  const canAsk = obstacle === null && running.length === 0;
  if (chat.models === null && chat.modelsError === null) return <Waiting />;
  return (
    <div className="mx-auto grid w-full max-w-xl gap-6 px-4 py-10 lg:py-16">
      <div className="grid gap-2">
        <h2 className="text-xl font-semibold tracking-tight">{titleOf(model)}</h2>
        <ul className="grid gap-2 text-sm text-dim">
          {model?.can.encrypt && (
            <Line icon={<Lock aria-hidden className="text-violet" />}>{words.empty.encryption}</Line>
          )}
          {model?.can.attest && (
            <Line icon={<ShieldHalf aria-hidden />}>
              {words.empty.attestation}{' '}
              <Button tone="link" size="inline" onClick={() => onShow('lock')}>
                {words.empty.seeChecks}
              </Button>
            </Line>
          )}
          {model !== null && !model.can.attest && <Line icon={<Waypoints aria-hidden />}>{words.empty.noEnclave}</Line>}
        </ul>
      </div>
      <div className="grid justify-items-start gap-2">
        <p className="text-xs text-faint">{words.empty.toBegin}</p>
        {words.empty.examples.map((example) => (
          <Button
            key={example}
            disabled={!canAsk}
            onClick={() => chat.send(example)}
            className="h-auto min-h-8 max-w-full py-1.5 text-left whitespace-normal"
          >
            {example}
          </Button>
        ))}
      </div>
      <p className="text-xs text-faint">{words.empty.kept}</p>
      {isSimulated && <p className="text-xs text-dim">{words.empty.simulated}</p>}
    </div>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-2.5 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
      {icon}
      <span className="min-w-0">{children}</span>
    </li>
  );
}

function titleOf(model: Chat['model']): string {
  if (model === null) return words.empty.noModel;
  if (model.can.encrypt) return words.empty.encrypted;
  return model.can.attest ? words.empty.attested : words.empty.relayed;
}

/** Placeholder with the final layout until the models arrive. */
function Waiting() {
  return (
    <div
      role="status"
      aria-label={words.empty.loading}
      className="mx-auto grid w-full max-w-xl gap-6 px-4 py-10 lg:py-16"
    >
      <Skeleton className="h-7 w-64 max-w-full" />
      <Skeleton className="h-32" />
      <Skeleton className="h-36 w-3/4" />
    </div>
  );
}
