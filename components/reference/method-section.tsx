import { TierBadge } from '@/components/rpc/tier-badge';
import { PageLinks } from '@/components/ui/page-links';
import type { ListedMethod } from '@/lib/browser/api-reference/listed';
import type { ChainKind } from '@/lib/protocol/networks';
import { referenceWords } from '@/lib/browser/words/reference';
import { memo } from 'react';
import { ListSection } from './list-section';

const KIND_TITLES: Record<ChainKind, string> = referenceWords.lists.kinds;

export const MethodSection = memo(function MethodSection({ methods }: { methods: readonly ListedMethod[] }) {
  if (methods.length === 0) return null;
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
              .map(({ name, href, description, tier }) => (
                <li key={name} className="min-w-0 border-b border-line">
                  <a
                    href={href}
                    title={description}
                    className="flex min-h-8 items-center gap-2 py-1 text-sm hover:bg-hover pointer-coarse:min-h-10"
                  >
                    <span className="figures min-w-0 flex-1 truncate text-xs">{name}</span>
                    <TierBadge tier={tier} />
                  </a>
                </li>
              ))}
          </PageLinks>
        </div>
      ))}
    </ListSection>
  );
});
