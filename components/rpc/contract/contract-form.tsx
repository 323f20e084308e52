'use client';

import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import type { AbiParameter } from 'viem';
import { typeBeside } from '../param-fields';
import { rpcContractWords as words } from '../tool-words';
import {
  type AbiFault,
  changesState,
  type ContractAbi,
  readContractAbi,
  signatureOf,
  STANDARD_ABIS,
  typeOf,
} from './contract-abi';
import { keepContractAbi, useContractDraft } from './contract-draft';
import {
  type ArgumentReading,
  callData,
  exampleOf,
  isCompound,
  readAddress,
  readArgument,
  writeContractCall,
} from './read-argument';

/** Builds a request from an ABI, a contract, a function and its arguments. This browser stores the inputs. */
export function ContractForm({ text, onWrite }: { text: string; onWrite: (text: string) => void }) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { fields, edit } = useContractDraft();
  const [wasTried, setWasTried] = useState(false);
  const read = useMemo(() => (fields.abi.trim() === '' ? null : readContractAbi(fields.abi)), [fields.abi]);
  const functions = read !== null && 'functions' in read ? read.functions : [];
  const called = functions.find((each) => signatureOf(each) === fields.signature);
  const typed = readTyped(fields.args);
  const place = (index: number) => `${fields.signature} ${index}`;
  const readings = (called?.inputs ?? []).map((input, index) => readArgument(input, typed[place(index)] ?? ''));
  const address = readAddress(fields.address.trim());
  const problemOf = (reading: ArgumentReading, value: string) =>
    reading.ok || (!wasTried && value.trim() === '') ? undefined : reading.problem;
  const write = (event: FormEvent) => {
    event.preventDefault();
    setWasTried(true);
    const values = readings.flatMap((reading) => (reading.ok ? [reading.value] : []));
    if (called === undefined || !address.ok || values.length < readings.length) return focusFirstProblem(form.current);
    keepContractAbi(fields.address.trim(), fields.abi);
    onWrite(writeContractCall(text, fields.address.trim(), callData(called, values)));
  };
  return (
    <form ref={form} onSubmit={write} noValidate data-takes-hashes="" className="grid min-w-0 gap-4">
      <AbiField
        id={`${id}-abi`}
        value={fields.abi}
        read={read}
        isMissing={wasTried && read === null}
        onChange={(abi) => edit({ abi })}
      />
      <Field
        label={words.address}
        htmlFor={`${id}-address`}
        message={fields.address.trim() === '' && !wasTried ? undefined : problemOf(address, fields.address)}
      >
        <Input
          id={`${id}-address`}
          value={fields.address}
          placeholder="0x…"
          aria-invalid={problemOf(address, fields.address) !== undefined}
          aria-describedby={`${id}-address-message`}
          onChange={(event) => edit({ address: event.target.value })}
          className="figures text-xs"
        />
      </Field>
      <Field
        label={words.function}
        htmlFor={`${id}-function`}
        message={wasTried && called === undefined ? words.noFunction : undefined}
      >
        <Select
          id={`${id}-function`}
          value={called === undefined ? '' : fields.signature}
          disabled={functions.length === 0}
          aria-invalid={wasTried && called === undefined}
          aria-describedby={`${id}-function-message`}
          onChange={(signature) => edit({ signature })}
          options={[
            { value: '', label: words.chooseFunction },
            ...optionsOf(
              words.reads,
              functions.filter((each) => !changesState(each)),
            ),
            ...optionsOf(words.changes, functions.filter(changesState)),
          ]}
          className="figures text-xs"
        />
      </Field>
      {called?.inputs.map((input, index) => (
        <ArgumentField
          key={place(index)}
          parameter={input}
          index={index}
          value={typed[place(index)] ?? ''}
          problem={problemOf(readings[index] ?? { ok: true, value: '' }, typed[place(index)] ?? '')}
          onChange={(value) => edit({ args: JSON.stringify({ ...typed, [place(index)]: value }) })}
        />
      ))}
      {called !== undefined && (
        <p className="text-xs text-dim">
          {called.inputs.length === 0 && `${words.noArguments} `}
          {called.outputs.length === 0
            ? words.returnsNothing
            : words.returns(
                called.outputs
                  .map((output) => [typeBeside(output.name, typeOf(output)), output.name].filter(Boolean).join(' '))
                  .join(', '),
              )}
        </p>
      )}
      <Button type="submit" tone="primary" className="justify-self-end">
        {words.write}
      </Button>
    </form>
  );
}

function AbiField({
  id,
  value,
  read,
  isMissing,
  onChange,
}: {
  id: string;
  value: string;
  read: ContractAbi | AbiFault | null;
  isMissing: boolean;
  onChange: (abi: string) => void;
}) {
  const problem = isMissing ? words.missing : read !== null && 'kind' in read ? sentenceOf(read) : undefined;
  return (
    <Field label={words.abi} htmlFor={id} hint={words.abiHint} message={problem}>
      <textarea
        id={id}
        value={value}
        rows={5}
        spellCheck={false}
        placeholder={words.abiPlaceholder}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-message`}
        onChange={(event) => onChange(event.target.value)}
        className="figures block max-h-60 min-h-24 w-full min-w-0 resize-y rounded-md border border-edge bg-ground px-2.5 py-1.5 text-xs placeholder:text-faint aria-invalid:border-bad"
      />
      <div role="group" aria-label={words.presets} className="flex flex-wrap items-center gap-1 text-xs text-faint">
        {words.presets}:
        {Object.entries(STANDARD_ABIS).map(([name, abi]) => (
          <Button
            key={name}
            size="sm"
            tone="quiet"
            aria-pressed={value === abi}
            onClick={() => onChange(abi)}
            className="aria-pressed:bg-hover aria-pressed:text-ink"
          >
            {name}
          </Button>
        ))}
      </div>
    </Field>
  );
}

function optionsOf(group: string, functions: ContractAbi['functions']) {
  return functions.map((each) => ({ value: signatureOf(each), group }));
}

function sentenceOf(fault: AbiFault): string {
  return fault.kind === 'bad-line' ? words.badLine(fault.line, fault.text) : words.abiFaults[fault.kind];
}

function readTyped(args: string): Readonly<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(args);
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(
      Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/** Runs in the next frame, when the invalid fields are marked. */
function focusFirstProblem(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}

interface ArgumentFieldProps {
  parameter: AbiParameter;
  index: number;
  value: string;
  /** Undefined if the argument is valid, or empty at first. */
  problem: string | undefined;
  onChange: (value: string) => void;
}

export function ArgumentField({ parameter, index, value, problem, onChange }: ArgumentFieldProps) {
  const id = useId();
  const shared = {
    id,
    value,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-message`,
    className: 'figures text-xs',
  };
  return (
    <Field
      label={<span className="figures">{parameter.name || words.argument(index)}</span>}
      htmlFor={id}
      hint={typeBeside(parameter.name, typeOf(parameter))}
      message={problem}
    >
      {parameter.type === 'bool' ? (
        <Select
          {...shared}
          onChange={onChange}
          options={[
            { value: '', label: words.choose },
            { value: 'true', label: words.chooseTrue },
            { value: 'false', label: words.chooseFalse },
          ]}
        />
      ) : (
        <Input
          {...shared}
          {...(isCompound(parameter) ? { placeholder: words.listExample(exampleOf(parameter)) } : {})}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
