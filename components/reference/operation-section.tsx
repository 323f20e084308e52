'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { onDemand } from '@/components/ui/on-demand';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { CREDENTIAL_PLACEHOLDER, maskCredential, useCredential } from '@/lib/browser/credential/credential';
import { bodyHref } from '@/lib/browser/page/console-pages';
import { useRpcDraft } from '@/lib/browser/rpc/rpc-draft';
import type { CallCredential } from '@/lib/client';
import { ArrowRight, ChevronRight } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import type { ApiDescription, ApiOperation, ApiParameter, ApiResponse, Schema } from './api-description';
import { operationCurl } from './operation-request';
import { VerbBadge } from './reference-nav';
import { SchemaFacts, SchemaTree } from './schema-tree';
import { describeSchema } from './schema-view';
import { referenceWords } from './words';

const tryWords = referenceWords.request;

const RunGet = onDemand(() => import('./run-get').then((module) => module.RunGet), {
  waiting: <Skeleton className="h-10" />,
});

/** Runs a read-only operation here, and links the JSON-RPC operation to the RPC page. */
function TryOperation({ operation, baseUrl }: { operation: ApiOperation; baseUrl: string }) {
  const [exampleName, setExampleName] = useState(operation.body?.examples[0]?.name ?? null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { presented } = useCredential();
  const draft = useRpcDraft();
  const example = operation.body?.examples.find(({ name }) => name === exampleName);
  const isRpc = operation.id === 'rpc';
  const network = draft.network ?? 'ethereum-mainnet';
  const shownValues = isRpc ? { network, ...values } : values;
  const curl = (credential: CallCredential | null) =>
    operationCurl(operation, {
      baseUrl,
      values: shownValues,
      credential: credential ?? CREDENTIAL_PLACEHOLDER,
      ...(example ? { body: example.value } : {}),
    });
  return (
    <div className="grid min-w-0 gap-4 xl:sticky xl:top-4">
      <div className="overflow-hidden rounded-md border border-line">
        <div className="flex min-h-10 flex-wrap items-center gap-1 border-b border-line bg-surface px-3 py-1">
          <h3 className="mr-auto text-sm font-semibold">{tryWords.title}</h3>
          {operation.body && operation.body.examples.length > 1 && (
            <div role="group" aria-label={tryWords.example} className="flex gap-1">
              {operation.body.examples.map(({ name }) => (
                <Button
                  key={name}
                  size="sm"
                  tone="quiet"
                  aria-pressed={name === exampleName}
                  className="aria-pressed:bg-hover aria-pressed:text-ink"
                  onClick={() => setExampleName(name)}
                >
                  {name}
                </Button>
              ))}
            </div>
          )}
          <CopyButton text={() => curl(presented)} label={tryWords.copy} tone="outline" title={tryWords.copyMeaning} />
        </div>
        <pre
          tabIndex={0}
          aria-label={tryWords.asCurl(operation.summary)}
          className="figures overflow-auto p-3 text-xs leading-5"
        >
          {curl(presented === null ? null : maskCredential(presented))}
        </pre>
      </div>
      {isRpc && (
        <Button asChild className="justify-self-start">
          <PageLink href={bodyHref(network, JSON.stringify(example?.value ?? {}, null, 2))}>
            {tryWords.tryOnRpc}
            <ArrowRight aria-hidden />
          </PageLink>
        </Button>
      )}
      {operation.verb === 'GET' && (
        <RunGet operation={operation} baseUrl={baseUrl} values={values} onChange={setValues} />
      )}
    </div>
  );
}

const words = referenceWords.operation;

export const OperationSection = memo(function OperationSection({
  operation,
  description: { schemas, baseUrl },
}: {
  operation: ApiOperation;
  description: ApiDescription;
}) {
  return (
    <section
      id={operation.id}
      aria-labelledby={`${operation.id}-title`}
      className="grid scroll-mt-28 gap-6 laid-out-in-sight border-t border-line pt-8 lg:scroll-mt-4"
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
    </section>
  );
});

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

function Credentials({ operation: { credentials } }: { operation: ApiOperation }) {
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
          className={cn('size-4 self-center text-faint transition-transform', open && 'rotate-90')}
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
          {contents.map(({ mediaType, schema }) => (
            <div key={mediaType} className="grid min-w-0 gap-1">
              {contents.length > 1 && <code className="figures text-xs text-dim">{mediaType}</code>}
              {(contents.length === 1 || mediaType === 'application/json') && (
                <SchemaTree schema={schema} schemas={schemas} />
              )}
            </div>
          ))}
          {contents.length === 0 && <p className="text-xs text-faint">{words.noBody}</p>}
        </div>
      )}
    </li>
  );
}
