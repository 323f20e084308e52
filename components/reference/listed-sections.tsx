'use client';

import { TierBadge } from '@/components/rpc/tier-badge';
import { askForPage } from '@/lib/browser/page/navigation';
import { useGatewaySettings } from '@/lib/browser/reads/settings';
import { firstMethodOf } from '@/lib/browser/rpc/first-request';
import type { ChainKind } from '@/lib/protocol/networks';
import { useRouter } from 'next/navigation';
import { type ComponentProps, memo, type MouseEvent, type ReactNode, type SyntheticEvent } from 'react';
import type { Schema } from './api-description';
import type { ListedError, ListedMethod } from './listed-entries';
import { SchemaTree } from './schema-tree';
import { referenceWords } from './words';

function ListSection({ id, title, note, children }: { id: string; title: string; note: string; children: ReactNode }) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-28 grid-cols-1 gap-4 border-t border-line pt-8 lg:scroll-mt-4"
    >
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

export const ErrorSection = memo(function ErrorSection({ errors }: { errors: readonly ListedError[] }) {
  if (errors.length === 0) return null;
  return (
    <ListSection id="errors" title={referenceWords.lists.errors} note={referenceWords.lists.errorsNote}>
      <ul className="divide-y divide-line rounded-md border border-line laid-out-in-sight">
        {errors.map(({ code, status, error, hint }) => (
          <li
            key={code}
            id={`error-${code}`}
            className="grid scroll-mt-28 gap-x-4 gap-y-0.5 px-3 py-2 text-sm sm:grid-cols-[3rem_minmax(0,1fr)] lg:scroll-mt-4"
          >
            <span className="figures text-bad">{status}</span>
            <div className="grid min-w-0 gap-0.5">
              <code className="figures text-xs wrap-anywhere">{code}</code>
              <span>{error}</span>
              <span className="text-dim">{hint}</span>
            </div>
          </li>
        ))}
      </ul>
    </ListSection>
  );
});

/**
 * List of plain links, because hundreds of `PageLink` components kept a phone busy. The list opens and prefetches the
 * linked pages.
 */
function PageLinks(props: ComponentProps<'ul'>) {
  const router = useRouter();
  const fetchAhead = (event: SyntheticEvent) => {
    const href = hrefOf(event.target);
    if (href !== null) router.prefetch(href);
  };
  const open = (event: MouseEvent) => {
    const href = hrefOf(event.target);
    // With a modifier key, the browser itself opens a tab or window, or saves the file.
    if (href === null || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    askForPage(href);
    router.push(href);
  };
  return <ul {...props} onClick={open} onPointerOver={fetchAhead} onFocus={fetchAhead} />;
}

function hrefOf(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest('a')?.getAttribute('href') ?? null) : null;
}

const KIND_TITLES: Record<ChainKind, string> = referenceWords.lists.kinds;

export const MethodSection = memo(function MethodSection({ methods }: { methods: readonly ListedMethod[] }) {
  const connected = useGatewaySettings().data?.connectedNetworks ?? null;
  if (methods.length === 0) return null;
  const hrefTo = ({ network, href }: ListedMethod) => {
    if (connected === null || connected.includes(network)) return href;
    return href.replace(network, connected.find((each) => firstMethodOf(each) === firstMethodOf(network)) ?? network);
  };
  const kinds = (Object.keys(KIND_TITLES) as ChainKind[]).filter((kind) =>
    methods.some((method) => method.kind === kind),
  );
  return (
    <ListSection id="methods" title={referenceWords.lists.methods} note={referenceWords.lists.methodsNote}>
      {kinds.map((kind) => (
        <div key={kind} className="grid gap-2 laid-out-in-sight">
          <h3 className="text-sm font-semibold">{KIND_TITLES[kind]}</h3>
          <PageLinks className="grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
            {methods
              .filter((method) => method.kind === kind)
              .map((method) => (
                <li key={method.name} className="min-w-0 border-b border-line">
                  <a
                    href={hrefTo(method)}
                    title={method.description}
                    className="flex min-h-8 items-center gap-2 py-1 text-sm hover:bg-hover pointer-coarse:min-h-10"
                  >
                    <span className="figures min-w-0 flex-1 truncate text-xs">{method.name}</span>
                    <TierBadge tier={method.tier} />
                  </a>
                </li>
              ))}
          </PageLinks>
        </div>
      ))}
    </ListSection>
  );
});

export const SchemaSection = memo(function SchemaSection({
  names,
  schemas,
}: {
  names: readonly string[];
  schemas: ReadonlyMap<string, Schema>;
}) {
  if (names.length === 0) return null;
  return (
    <ListSection id="schemas" title={referenceWords.lists.schemas} note={referenceWords.lists.schemasNote}>
      {names.map((name) => (
        <NamedSchema key={name} name={name} schemas={schemas} />
      ))}
    </ListSection>
  );
});

const NamedSchema = memo(function NamedSchema({
  name,
  schemas,
}: {
  name: string;
  schemas: ReadonlyMap<string, Schema>;
}) {
  return (
    <div id={`schema-${name}`} className="grid scroll-mt-28 gap-2 laid-out-in-sight lg:scroll-mt-4">
      <h3 className="figures text-sm font-semibold">{name}</h3>
      <SchemaTree schema={schemas.get(name) ?? {}} schemas={schemas} />
    </div>
  );
});
