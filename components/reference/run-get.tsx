'use client';

import { JsonTree } from '@/components/rpc/json-tree';
import { GatewayProblem } from '@/components/rpc/gateway-problem';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { formatBytes, formatDuration } from '@/lib/browser/amounts';
import type { ApiOperation } from '@/lib/browser/api-reference/api-description';
import { missingParameters, operationPath, type ParameterValues } from '@/lib/browser/api-reference/operation-request';
import { useReadOperation } from '@/lib/browser/api-reference/use-read-operation';
import { readTree } from '@/lib/browser/json-document';
import type { RawAnswer } from '@/lib/client';
import { Play } from 'lucide-react';
import { type FormEvent, useId } from 'react';

interface RunGetProps {
  operation: ApiOperation;
  baseUrl: string;
  values: ParameterValues;
  onChange: (values: ParameterValues) => void;
}

/** Fields for the parameters of an operation that reads, a button that runs it with the current credential, and its answer. */
export function RunGet({ operation, baseUrl, values, onChange }: RunGetProps) {
  const id = useId();
  const { answer, error, isRunning, run } = useReadOperation();
  const missing = missingParameters(operation, values);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (missing.length === 0) run(new URL(baseUrl).pathname + operationPath(operation, values));
  };
  return (
    <form onSubmit={submit} aria-label={`Run ${operation.path}`} className="grid gap-3">
      {operation.parameters
        .filter(({ place }) => place !== 'header')
        .map(({ name, required, description }) => (
          <Field key={name} label={<span className="figures">{name}</span>} htmlFor={`${id}-${name}`} hint={required ? 'required' : 'optional'}>
            <Input id={`${id}-${name}`} value={values[name] ?? ''} placeholder={description} onChange={(event) => onChange({ ...values, [name]: event.target.value })} />
          </Field>
        ))}
      <div className="flex items-center gap-3">
        <Button type="submit" disabled={missing.length > 0 || isRunning}>
          <Play aria-hidden />
          Run
        </Button>
        {missing.length > 0 && <span className="text-xs text-faint">Fill in {missing.map(({ name }) => name).join(', ')}.</span>}
      </div>
      {error !== null && <GatewayProblem error={error} onRetry={() => submit()} />}
      {answer !== null && <ReadAnswer answer={answer} />}
    </form>
  );
}

function ReadAnswer({ answer: { status, latencyMs, headers, bodyText } }: { answer: RawAnswer }) {
  const tree = readTree(bodyText);
  return (
    <div role="region" aria-label="Answer" className="overflow-hidden rounded-md border border-line">
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-1 text-xs">
        <Badge tone={status < 400 ? 'good' : 'bad'} className="figures">
          HTTP {status}
        </Badge>
        <span className="figures text-dim">{formatDuration(latencyMs)}</span>
        <span className="figures text-dim">{formatBytes(new TextEncoder().encode(bodyText).length)}</span>
      </div>
      <div tabIndex={0} role="group" aria-label="Body" className="max-h-96 overflow-auto p-3">
        {tree === null ? <pre className="figures text-xs whitespace-pre-wrap wrap-anywhere">{bodyText.slice(0, 100_000)}</pre> : <JsonTree node={tree} />}
      </div>
      <details className="border-t border-line text-xs">
        <summary className="px-3 py-2 text-dim">Headers ({headers.length})</summary>
        <dl className="figures grid gap-1 px-3 pb-3">
          {headers.map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-dim">{name}:</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
