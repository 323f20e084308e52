'use client';

import { Button } from '@/components/ui/button';
import type { ChatView } from '@/lib/browser/chat/chat-view';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { Braces, Lock, ShieldHalf, Waypoints } from 'lucide-react';
import type { ReactNode } from 'react';

/** Of use with any model, and what the sandbox's own can answer. */
const EXAMPLES = ['How do I top up with USDC?', 'What does a verified attestation prove?', 'How is an RPC call priced?'];

/** Before the first question: who will read it, and what to ask. */
export function EmptyThread({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const { model, obstacle, running, lock } = chat;
  const isSimulated = lock.kind === 'judged' && lock.attestation.verdict.conclusion === 'simulated';
  const canAsk = obstacle === null && running === null;
  return (
    <div className="mx-auto grid w-full max-w-xl gap-6 px-4 py-10 lg:py-16">
      <div className="grid gap-2">
        <h2 className="text-xl font-semibold tracking-tight">{titleOf(model)}</h2>
        <ul className="grid gap-2 text-sm text-dim">
          {model?.can.encrypt && (
            <Line icon={<Lock aria-hidden className="text-violet" />}>Each message is encrypted in this browser to a key that an enclave holds. Whoever runs this gateway relays what they cannot read.{isSimulated && ' This enclave is a simulated one: it shows how that works, and hides nothing from this machine.'}</Line>
          )}
          {model?.can.attest && (
            <Line icon={<ShieldHalf aria-hidden />}>
              This browser verifies the enclave before each conversation, and the signature of each answer after it.{' '}
              <Button tone="link" size="inline" onClick={() => onShow('lock')}>
                See every check
              </Button>
            </Line>
          )}
          {model !== null && !model.can.attest && <Line icon={<Waypoints aria-hidden />}>This model runs in no enclave: the gateway and the model’s server read what you write.</Line>}
          {model?.can.followSchema && (
            <Line icon={<Braces aria-hidden />}>
              Answers can be held to a JSON schema.{' '}
              <Button tone="link" size="inline" onClick={() => onShow('setup')}>
                Set one up
              </Button>
            </Line>
          )}
        </ul>
      </div>
      <div className="grid justify-items-start gap-2">
        <p className="text-xs text-faint">To begin with</p>
        {EXAMPLES.map((example) => (
          <Button key={example} disabled={!canAsk} onClick={() => chat.send(example)} className="h-auto min-h-8 max-w-full py-1.5 text-left whitespace-normal">
            {example}
          </Button>
        ))}
      </div>
      <p className="text-xs text-faint">Conversations are kept in this browser only, and erased where you say so, under Kept.</p>
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
  if (model === null) return 'Ask a model';
  if (model.can.encrypt) return 'An encrypted conversation';
  return model.can.attest ? 'A conversation with a model in an enclave' : 'A conversation with a model';
}
