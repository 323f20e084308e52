'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { onDemand } from '@/components/ui/on-demand';
import type { ApiOperation } from './api-description';
import { missingParameters, operationPath, type ParameterValues } from './operation-request';
import { useReadOperation } from './use-read-operation';
import { referenceRunWords as words } from './words';
import { Play } from 'lucide-react';
import { type FormEvent, useId } from 'react';

const ReadAnswer = onDemand(() => import('./read-answer').then((module) => module.ReadAnswer));

interface RunGetProps {
  operation: ApiOperation;
  baseUrl: string;
  values: ParameterValues;
  onChange: (values: ParameterValues) => void;
}

/** Runs a read-only operation. Shows fields for its parameters, a button, and the response. */
export function RunGet({ operation, baseUrl, values, onChange }: RunGetProps) {
  const id = useId();
  const { answer, error, isRunning, run } = useReadOperation();
  const missing = missingParameters(operation, values);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (missing.length === 0) run(new URL(baseUrl).pathname + operationPath(operation, values));
  };
  return (
    <form onSubmit={submit} aria-label={words.form(operation.path)} data-takes-hashes="bare" className="grid gap-3">
      {operation.parameters
        .filter(({ place }) => place !== 'header')
        .map(({ name, required, description }) => (
          <Field
            key={name}
            label={<span className="figures">{name}</span>}
            htmlFor={`${id}-${name}`}
            hint={required ? words.required : words.optional}
          >
            <Input
              id={`${id}-${name}`}
              value={values[name] ?? ''}
              placeholder={description}
              onChange={(event) => onChange({ ...values, [name]: event.target.value })}
            />
          </Field>
        ))}
      <div className="flex items-center gap-3">
        <Button
          type="submit"
          onPointerEnter={ReadAnswer.preload}
          onFocus={ReadAnswer.preload}
          disabled={missing.length > 0 || isRunning}
        >
          <Play aria-hidden />
          {words.run}
        </Button>
        {missing.length > 0 && (
          <span className="text-xs text-faint">{words.missing(missing.map(({ name }) => name).join(', '))}</span>
        )}
      </div>
      {error !== null && <FailureCard error={error} onRetry={() => submit()} />}
      {answer !== null && <ReadAnswer answer={answer} />}
    </form>
  );
}
