import { TierBadge } from '@/components/rpc/tier-badge';
import { PageLink } from '@/components/ui/page-link';
import { requestHref } from '@/lib/browser/rpc/request-href';
import { composeRequest } from '@/lib/browser/rpc/request-text';
import { type ChainKind, NETWORKS } from '@/lib/protocol/networks';
import type { RpcMethod } from '@/lib/protocol/rpc-methods';
import { exampleParams, METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';
import { referenceWords } from '@/lib/browser/words/reference';
import { ListSection } from './list-section';

const KIND_TITLES: Record<ChainKind, string> = referenceWords.lists.kinds;

/** The methods that the proxy forwards, each a link that opens it on the RPC page. */
export function MethodSection({ methods }: { methods: readonly RpcMethod[] }) {
  if (methods.length === 0) return null;
  const kinds = (Object.keys(KIND_TITLES) as ChainKind[]).filter((kind) => methods.some((method) => method.kind === kind));
  return (
    <ListSection id="methods" title={referenceWords.lists.methods} note={referenceWords.lists.methodsNote}>
      {kinds.map((kind) => (
        <div key={kind} className="grid gap-2 laid-out-in-sight">
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
      <PageLink href={requestHref({ network, text: composeRequest(name, exampleParams(name)) })} title={METHOD_EXAMPLES.get(name)?.description} className="flex min-h-8 items-center gap-2 py-1 text-sm hover:bg-hover pointer-coarse:min-h-10">
        <span className="figures min-w-0 flex-1 truncate text-xs">{name}</span>
        <TierBadge tier={tier} />
      </PageLink>
    </li>
  );
}
