import { Badge } from '@/components/ui/badge';
import type { Tier } from '@/lib/protocol/rpc-methods';
import { rpcWords } from '@/lib/browser/words/rpc';

/** The pricing tier, where it is not the ordinary one. */
export function TierBadge({ tier }: { tier: Tier }) {
  if (tier === 'standard') return null;
  return <Badge tone="amber">{rpcWords.method.tiers[tier]}</Badge>;
}
