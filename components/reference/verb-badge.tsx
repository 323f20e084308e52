import { Badge } from '@/components/ui/badge';

/** The HTTP verb of an operation; what only reads is neutral, what does something is amber. */
export function VerbBadge({ verb }: { verb: string }) {
  return (
    <Badge tone={verb === 'GET' ? 'neutral' : 'amber'} className="figures">
      {verb}
    </Badge>
  );
}
