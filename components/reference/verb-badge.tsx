import { Badge } from '@/components/ui/badge';

/** HTTP verb of an operation. Every verb except GET is amber. */
export function VerbBadge({ verb }: { verb: string }) {
  return (
    <Badge tone={verb === 'GET' ? 'neutral' : 'amber'} className="figures">
      {verb}
    </Badge>
  );
}
