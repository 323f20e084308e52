'use client';

import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { formatBytes } from '@/lib/browser/text/amounts';
import { type Exchange, useExchange } from './exchanges';
import { chatWireWords as words } from './setup-words';
import { Lock } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

const SHOWN_CHARACTERS = 20_000;
const HEX_DIGITS = 2;

/** Shows the bytes of the request and the answer, and says which bytes the enclave signed. */
export function WireView({ turnId }: { turnId: string }) {
  const exchange = useExchange(turnId);
  const box = useShownAtOnce<HTMLElement>();
  if (exchange === null) {
    return (
      <section ref={box} aria-label={words.label} className="rounded-md border border-line p-3 text-sm text-dim">
        {words.gone}
      </section>
    );
  }
  const { sent, receivedText, isReceivedHex, receivedHash, signature } = exchange;
  const headers = Object.entries(sent.headers);
  return (
    <section
      ref={box}
      aria-label={words.label}
      className="scroll-mt-16 scroll-mb-3 grid grid-cols-[minmax(0,1fr)] gap-3"
    >
      <Part title={words.sent} text={sent.bodyText} isHex={sent.isHex} hash={sent.hash} isEncrypted={sent.isEncrypted}>
        {headers.length > 0 &&
          headers.map(([name, value]) => (
            <span key={name} className="block">
              {name}: {value}
            </span>
          ))}
      </Part>
      {receivedText === null ? (
        <p className="text-xs text-dim">{words.incomplete}</p>
      ) : (
        <Part
          title={words.received}
          text={receivedText}
          isHex={isReceivedHex}
          hash={receivedHash}
          isEncrypted={sent.isEncrypted}
        />
      )}
      {signature !== null && <SignatureFacts signature={signature} />}
    </section>
  );
}

/** Scrolls to content that the user has just unfolded, if it is below the visible area. */
function useShownAtOnce<T extends HTMLElement>() {
  const box = useRef<T>(null);
  useEffect(() => {
    // Discards the promise that `scrollIntoView` returns in some browsers, because React would call it as clean-up.
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return box;
}

function Part({
  title,
  text,
  isHex,
  hash,
  isEncrypted,
  children,
}: {
  title: string;
  text: string;
  isHex: boolean;
  hash: string | null;
  isEncrypted: boolean;
  children?: ReactNode;
}) {
  const bytes = isHex ? text.length / HEX_DIGITS : new TextEncoder().encode(text).length;
  return (
    <div className={cn('overflow-hidden rounded-md border', isEncrypted ? 'border-violet-line' : 'border-line')}>
      <div
        className={cn(
          'flex min-h-8 items-center gap-2 border-b pr-1 pl-3 text-xs',
          isEncrypted ? 'border-violet-line bg-violet-soft text-violet' : 'border-line bg-surface text-dim',
        )}
      >
        <h4 className="font-medium">{title}</h4>
        {isEncrypted ? (
          <Badge tone="violet">
            <Lock aria-hidden />
            {words.ciphertext}
          </Badge>
        ) : (
          <Badge>{words.plainText}</Badge>
        )}
        <span className="figures ml-auto">
          {formatBytes(bytes)}
          {isHex && words.inHex}
        </span>
        <CopyButton text={text} label={words.copy(title)} iconOnly />
      </div>
      <div
        tabIndex={0}
        role="group"
        aria-label={words.bytes(title)}
        className="figures max-h-60 overflow-auto p-3 text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
      >
        {children && <div className="mb-2 text-dim">{children}</div>}
        <code className="font-[inherit]">{text.slice(0, SHOWN_CHARACTERS)}</code>
        {text.length > SHOWN_CHARACTERS && <span className="text-faint"> {words.copyForAll}</span>}
      </div>
      {hash !== null && (
        <p className="figures border-t border-line px-3 py-1.5 text-xs wrap-anywhere text-dim">{words.hash(hash)}</p>
      )}
    </div>
  );
}

function SignatureFacts({
  signature: { outcome, reason, text, signature, signer, attestedAddress },
}: {
  signature: NonNullable<Exchange['signature']>;
}) {
  const facts = [
    [words.outcome, reason === null ? words.outcomes[outcome] : `${words.outcomes[outcome]}. ${reason}`],
    [words.signedText, text],
    [words.signatureItself, signature],
    [words.signer, signer],
    [words.attestedKey, attestedAddress === '' ? null : attestedAddress],
  ] as const;
  return (
    <dl
      aria-label={words.signature}
      className="grid gap-x-3 gap-y-1.5 rounded-md border border-line p-3 text-xs sm:grid-cols-[auto_minmax(0,1fr)]"
    >
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} className="contents">
            <dt className="text-faint">{name}</dt>
            <dd className="figures wrap-anywhere">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
