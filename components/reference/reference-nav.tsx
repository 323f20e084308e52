import { Badge } from '@/components/ui/badge';
import { Fragment, memo, type ReactNode } from 'react';
import type { ApiOperation } from './api-description';
import { referenceWords } from './words';

/** Shows an HTTP verb: amber, except GET. */
export function VerbBadge({ verb }: { verb: string }) {
  return (
    <Badge tone={verb === 'GET' ? 'neutral' : 'amber'} className="figures">
      {verb}
    </Badge>
  );
}

export interface ReferenceContents {
  operations: readonly ApiOperation[];
  methods: number;
  errors: number;
  schemas: number;
}

/** Navigation with the number of matches per section: a column on wide screens, a row on a phone. */
export const ReferenceNav = memo(function ReferenceNav({
  contents: { operations, methods, errors, schemas },
}: {
  contents: ReferenceContents;
}) {
  return (
    <nav
      aria-label={referenceWords.navigation}
      className="-mx-4 flex gap-1 overflow-x-auto px-4 text-sm lg:mx-0 lg:flex-col lg:overflow-visible lg:px-0"
    >
      {operations.map(({ id, verb, path, group }, index) => (
        <Fragment key={id}>
          {group !== operations[index - 1]?.group && (
            <p className="px-2 pt-3 pb-1 text-xs text-faint first:pt-0 max-lg:hidden">{group}</p>
          )}
          <NavLink id={id}>
            <VerbBadge verb={verb} />
            <span className="figures text-xs lg:truncate" title={path}>
              {path}
            </span>
          </NavLink>
        </Fragment>
      ))}
      <CountLink id="methods" title={referenceWords.lists.methods} count={methods} />
      <CountLink id="errors" title={referenceWords.lists.errors} count={errors} />
      <CountLink id="schemas" title={referenceWords.lists.schemas} count={schemas} />
    </nav>
  );
});

function CountLink({ id, title, count }: { id: string; title: string; count: number }) {
  if (count === 0) return null;
  return (
    <NavLink id={id}>
      {title} <span className="figures text-xs text-faint lg:ml-auto">{count}</span>
    </NavLink>
  );
}

function NavLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      href={`#${id}`}
      className="flex h-8 min-w-0 shrink-0 items-center gap-2 rounded-md px-2 whitespace-nowrap text-dim hover:bg-hover hover:text-ink pointer-coarse:h-10"
    >
      {children}
    </a>
  );
}
