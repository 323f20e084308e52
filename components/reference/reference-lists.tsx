'use client';

import { TierBadge } from '@/components/rpc/method-picker';
import type { Schema } from '@/lib/browser/api-reference/api-description';
import { requestHref } from '@/lib/browser/request-link';
import { composeRequest } from '@/lib/browser/request-text';
import { type ErrorCode, ERRORS } from '@/lib/protocol/errors';
import { type ChainKind, NETWORKS } from '@/lib/protocol/networks';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import { exampleParams, METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';
import Link from 'next/link';
import { type ReactNode } from 'react';
import { SchemaTree } from './schema-tree';

const KIND_TITLES: Record<ChainKind, string> = { evm: 'EVM networks', solana: 'Solana', starknet: 'Starknet' };

/** The methods that the proxy forwards, each a link that opens it on the RPC page. */
export function MethodSection({ methods }: { methods: readonly RpcMethod[] }) {
  if (methods.length === 0) return null;
  const kinds = (Object.keys(KIND_TITLES) as ChainKind[]).filter((kind) => methods.some((method) => method.kind === kind));
  return (
    <ListSection id="methods" title="JSON-RPC methods" note="What POST /crypto/rpc/{network} forwards. A call costs the base credits of its network times its tier; everything else is refused, uncharged.">
      {kinds.map((kind) => (
        <div key={kind} className="grid gap-2">
          <h3 className="text-sm font-semibold">{KIND_TITLES[kind]}</h3>
          <ul className="grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
            {methods
              .filter((method) => method.kind === kind)
              .map((method) => (
                <MethodLink key={method.name} method={method} />
              ))}
          </ul>
        </div>
      ))}
    </ListSection>
  );
}

function MethodLink({ method: { name, kind, tier } }: { method: RpcMethod }) {
  const network = NETWORKS.find((each) => each.kind === kind)?.slug ?? '';
  return (
    <li className="min-w-0 border-b border-line">
      <Link href={requestHref({ network, text: composeRequest(name, exampleParams(name)) })} prefetch={false} title={METHOD_EXAMPLES.get(name)?.description} className="flex min-h-8 items-center gap-2 py-1 text-sm hover:bg-hover pointer-coarse:min-h-10">
        <span className="figures min-w-0 flex-1 truncate text-xs">{name}</span>
        <TierBadge tier={tier} />
      </Link>
    </li>
  );
}

/** Every error of the API with what to do about it. */
export function ErrorSection({ errors }: { errors: readonly ErrorCode[] }) {
  if (errors.length === 0) return null;
  return (
    <ListSection id="errors" title="Errors" note="Every error body carries a sentence, one of these stable codes and a hint. What ends in an error of 4xx or 5xx is not charged, unless its sentence says so.">
      <ul className="divide-y divide-line rounded-md border border-line">
        {errors.map((code) => (
          <li key={code} id={`error-${code}`} className="grid scroll-mt-28 gap-x-4 gap-y-0.5 px-3 py-2 text-sm sm:grid-cols-[3rem_minmax(0,1fr)] lg:scroll-mt-4">
            <span className="figures text-bad">{ERRORS[code].status}</span>
            <div className="grid min-w-0 gap-0.5">
              <code className="figures text-xs wrap-anywhere">{code}</code>
              <span>{ERRORS[code].error}</span>
              <span className="text-dim">{ERRORS[code].hint}</span>
            </div>
          </li>
        ))}
      </ul>
    </ListSection>
  );
}

/** The named schemas, which operations refer to. */
export function SchemaSection({ names, schemas }: { names: readonly string[]; schemas: ReadonlyMap<string, Schema> }) {
  if (names.length === 0) return null;
  return (
    <ListSection id="schemas" title="Schemas" note="What bodies are made of.">
      {names.map((name) => (
        <div key={name} id={`schema-${name}`} className="grid scroll-mt-28 gap-2 lg:scroll-mt-4">
          <h3 className="figures text-sm font-semibold">{name}</h3>
          <SchemaTree schema={schemas.get(name) ?? {}} schemas={schemas} />
        </div>
      ))}
    </ListSection>
  );
}

function ListSection({ id, title, note, children }: { id: string; title: string; note: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-28 gap-4 border-t border-line pt-8 lg:scroll-mt-4">
      <div className="grid gap-1">
        <h2 id={`${id}-title`} className="text-xl font-semibold tracking-tight">
          {title}
        </h2>
        <p className="max-w-3xl text-dim">{note}</p>
      </div>
      {children}
    </section>
  );
}
