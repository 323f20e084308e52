'use client';

import { cn } from '@/components/ui/class-names';
import type { Schema } from './api-description';
import { describeSchema, type SchemaPart } from './schema-view';
import { referenceWords } from './words';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

type Schemas = ReadonlyMap<string, Schema>;

/** Shows a schema as a tree. Opens nested members on demand, because a schema may contain itself. */
export function SchemaTree({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  const view = describeSchema(schema, schemas);
  return (
    <div className="overflow-hidden rounded-md border border-line text-sm">
      <div className={cn('grid gap-1 bg-surface px-3 py-2', view.parts.length > 0 && 'border-b border-line')}>
        <SchemaFacts view={view} />
      </div>
      <PartList parts={view.parts} schemas={schemas} />
    </div>
  );
}

function PartList({ parts, schemas }: { parts: readonly SchemaPart[]; schemas: Schemas }) {
  if (parts.length === 0) return null;
  return (
    <ul className="divide-y divide-line">
      {parts.map((part) => (
        <PartRow key={part.name} part={part} schemas={schemas} />
      ))}
    </ul>
  );
}

function PartRow({ part, schemas }: { part: SchemaPart; schemas: Schemas }) {
  const [open, setOpen] = useState(false);
  const view = describeSchema(part.schema, schemas);
  const name = (
    <>
      <span className={part.isMember ? 'figures text-xs' : 'text-xs text-dim italic'}>{part.name}</span>
      {part.required && <span className="text-xs text-amber-ink">{referenceWords.operation.required}</span>}
    </>
  );
  return (
    <li>
      <div className="grid gap-1 px-3 py-2">
        {view.parts.length === 0 ? (
          <span className="flex flex-wrap items-baseline gap-x-2 pl-5">{name}</span>
        ) : (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-0 text-left"
          >
            <ChevronRight
              aria-hidden
              className={cn('-mr-1 size-4 shrink-0 text-faint transition-transform', open && 'rotate-90')}
            />
            {name}
          </button>
        )}
        <div className="grid gap-1 pl-5">
          <SchemaFacts view={view} />
        </div>
      </div>
      {open && (
        <div className="ml-5 border-t border-l border-line">
          <PartList parts={view.parts} schemas={schemas} />
        </div>
      )}
    </li>
  );
}

export function SchemaFacts({ view }: { view: ReturnType<typeof describeSchema> }) {
  return (
    <>
      <p className="figures text-xs text-dim">
        <TypeName view={view} />
      </p>
      {view.rules.length > 0 && <Rules rules={view.rules} />}
      {view.description !== '' && <p className="text-sm text-dim">{view.description}</p>}
    </>
  );
}

function TypeName({ view: { refName, typeName } }: { view: ReturnType<typeof describeSchema> }): ReactNode {
  if (refName === null) return typeName;
  return (
    <a href={`#schema-${refName}`} className="text-amber-ink underline-offset-4 hover:underline">
      {refName}
    </a>
  );
}

function Rules({ rules }: { rules: readonly string[] }) {
  const [whole, setWhole] = useState(false);
  const text = rules.join(' · ');
  const isLong = text.length > 200;
  return (
    <p className="text-xs text-faint wrap-anywhere">
      {isLong && !whole ? `${text.slice(0, 180)}…` : text}
      {isLong && (
        <button type="button" onClick={() => setWhole(!whole)} className="ml-1.5 text-amber-ink hover:underline">
          {whole ? referenceWords.operation.less : referenceWords.operation.all}
        </button>
      )}
    </p>
  );
}
