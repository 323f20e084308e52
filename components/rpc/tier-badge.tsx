import { Badge } from '@/components/ui/badge';
import type { Tier } from '@/lib/protocol/rpc-methods';
import { rpcListWords } from './list-words';

export function TierBadge({ tier }: { tier: Tier }) {
  if (tier === 'standard') return null;
  return <Badge tone="amber">{rpcListWords.tiers[tier]}</Badge>;
}
