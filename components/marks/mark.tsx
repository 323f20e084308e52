import { Bot, Globe } from 'lucide-react';
import { MarkPath } from './mark-path';
import { FAMILY_PATHS, NETWORK_PATHS } from './mark-paths';
import { familyOf } from './model-family';

interface MarkProps {
  className?: string;
}

/** Mark of a network, hidden from screen readers because its name stands beside it. */
export function NetworkMark({ slug, className }: MarkProps & { slug: string }) {
  return <MarkPath path={NETWORK_PATHS[slug.split('-')[0] ?? '']} fallback={Globe} className={className} />;
}

/** Mark of a model's family. */
export function ModelMark({ model, className }: MarkProps & { model: string }) {
  return <MarkPath path={FAMILY_PATHS[familyOf(model) ?? '']} fallback={Bot} className={className} />;
}
