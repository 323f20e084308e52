'use client';

import { cn } from '@/components/ui/class-names';
import { ChevronRight } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import type { ApiDescription, ApiOperation, ApiParameter, ApiResponse, OperationHead, Schema } from './api-description';
import { VerbBadge } from './reference-nav';
import { SchemaFacts, SchemaTree } from './schema-tree';
import { describeSchema } from './schema-view';
import { ExampleAnswer, TryOperation } from './try-operation';
import { referenceWords } from './words';

const words = referenceWords.operation;

type OperationSectionProps =
  | { operation: ApiOperation; description: ApiDescription }
  | { operation: OperationHead; description: null };

/** Without a description, shows only the head. The first section is always laid out, so that it never shifts. */
export const OperationSection = memo(function OperationSection({ operation, description }: OperationSectionProps) {
  return (
    <section
      id={operation.id}
      aria-labelledby={`${operation.id}-title`}
      className="grid scroll-mt-28 gap-6 border-t border-line pt-8 not-first-of-type:laid-out-in-sight lg:scroll-mt-4"
    >
      <div className="grid gap-2">
        <h2 id={`${operation.id}-title`} className="text-xl font-semibold tracking-tight">
          {operation.summary || operation.path}
        </h2>
        <p className="flex flex-wrap items-center gap-2">
          <VerbBadge verb={operation.verb} />
          <code className="figures text-sm wrap-anywhere">{operation.path}</code>
        </p>
        {operation.description !== '' && (
          <p className="max-w-3xl whitespace-pre-line text-dim">{operation.description}</p>
        )}
        <Credentials operation={operation} />
      </div>
      {description !== null && <OperationParts operation={operation} description={description} />}
    </section>
  );
});

function OperationParts({
  operation,
  description: { schemas, baseUrl },
}: {
  operation: ApiOperation;
  description: ApiDescription;
}) {
  return (
    <div className="grid items-start gap-8 xl:grid-cols-2">
      <div className="grid min-w-0 gap-6">
        {operation.parameters.length > 0 && (
          <Part title={words.parameters}>
            <ul className="divide-y divide-line rounded-md border border-line text-sm">
              {operation.parameters.map((parameter) => (
                <ParameterRow key={`${parameter.place} ${parameter.name}`} parameter={parameter} schemas={schemas} />
              ))}
            </ul>
          </Part>
        )}
        {operation.body && (
          <Part title={words.body} note={operation.body.mediaType}>
            <SchemaTree schema={operation.body.schema} schemas={schemas} />
          </Part>
        )}
        <Part title={words.responses}>
          <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
            {operation.responses.map((response) => (
              <ResponseRow key={response.status} response={response} schemas={schemas} />
            ))}
          </ul>
        </Part>
      </div>
      <TryOperation operation={operation} baseUrl={baseUrl} />
    </div>
  );
}

export function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-2">
      <h3 className="flex items-baseline gap-2 text-sm font-semibold">
        {title}
        {note && <span className="figures text-xs font-normal text-faint">{note}</span>}
      </h3>
      {children}
    </div>
  );
}

function Credentials({ operation: { credentials } }: { operation: OperationHead }) {
  if (credentials.length === 0) return <p className="text-sm text-dim">{words.isPublic}</p>;
  return (
    <p className="text-sm text-dim">
      {words.credential}{' '}
      {credentials.map(({ name, header, description }, index) => (
        <span key={name} title={description}>
          {index > 0 && words.or}
          <code className="figures text-xs">{header}</code>
        </span>
      ))}
    </p>
  );
}

function ParameterRow({
  parameter: { name, place, required, description, schema },
  schemas,
}: {
  parameter: ApiParameter;
  schemas: ReadonlyMap<string, Schema>;
}) {
  const view = describeSchema(schema, schemas);
  return (
    <li className="grid gap-1 px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="figures text-xs">{name}</code>
        <span className="text-xs text-faint">{words.place(place)}</span>
        {required && <span className="text-xs text-amber-ink">{words.required}</span>}
      </p>
      <SchemaFacts view={{ ...view, description: description || view.description }} />
    </li>
  );
}

function ResponseRow({
  response: { status, description, headers, contents },
  schemas,
}: {
  response: ApiResponse;
  schemas: ReadonlyMap<string, Schema>;
}) {
  const [open, setOpen] = useState(false);
  const isGood = status.startsWith('2');
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="grid w-full grid-cols-[auto_auto_minmax(0,1fr)] items-baseline gap-2 px-3 py-2 text-left text-sm hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={cn('size-4 translate-y-0.5 self-start text-faint transition-transform', open && 'rotate-90')}
        />
        <span className={cn('figures', isGood ? 'text-good' : 'text-bad')}>{status}</span>
        <span className="text-dim">{description}</span>
      </button>
      {open && (
        <div className="grid gap-3 border-t border-line bg-surface p-3">
          {headers.length > 0 && (
            <dl className="grid gap-1 text-xs">
              {headers.map(({ name, description: meaning }) => (
                <div key={name} className="flex flex-wrap gap-x-2">
                  <dt className="figures">{name}</dt>
                  <dd className="text-dim">{meaning}</dd>
                </div>
              ))}
            </dl>
          )}
          {contents.map(({ mediaType, schema, examples: [example] }) => (
            <div key={mediaType} className="grid min-w-0 gap-1">
              {contents.length > 1 && <code className="figures text-xs text-dim">{mediaType}</code>}
              {(contents.length === 1 || mediaType === 'application/json') && (
                <SchemaTree schema={schema} schemas={schemas} />
              )}
              {!isGood && example !== undefined && <ExampleAnswer status={status} value={example.value} />}
            </div>
          ))}
          {contents.length === 0 && <p className="text-xs text-faint">{words.noBody}</p>}
        </div>
      )}
    </li>
  );
}
