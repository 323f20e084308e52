'use client';

import { JsonTextEditor } from '@/components/json/json-text-editor';
import type { TextFault } from '@/components/json/code-editor';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { checkSchema, EXAMPLE_SCHEMA } from './schema-check';
import type { Chat } from './use-chat';
import { useHydrated } from '@/lib/browser/storage/stored-value';
import { formatJson, readTree } from '@/lib/browser/text/json-document';
import { chatSetupWords as words } from './setup-words';
import { useRef, useState } from 'react';
import { AlignLeft, Braces, CircleAlert, CircleCheck, Trash2 } from 'lucide-react';

const TEMPERATURE_MAX = 2;
const TOKENS_MAX = 1_000_000;
const STATUS_ID = 'schema-status';

export function SetupTab({ chat }: { chat: Chat }) {
  const { settings, change, model } = chat;
  const hydrated = useHydrated();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-3 lg:p-4">
      <section className="grid gap-1.5">
        <label htmlFor="system-prompt" className="text-sm font-medium">
          {words.systemPrompt}
        </label>
        <textarea
          id="system-prompt"
          rows={4}
          readOnly={!hydrated}
          value={settings.systemPrompt}
          placeholder={words.systemPromptHint}
          onChange={(event) => change({ systemPrompt: event.target.value })}
          className="w-full resize-y rounded-md border border-edge bg-ground px-2.5 py-2 text-sm placeholder:text-faint"
        />
        <p className="text-xs text-dim">{words.systemPromptWhat(model?.can.encrypt === true)}</p>
      </section>
      <Bounds key={`bounds of ${chat.conversation?.id ?? 'new'}`} chat={chat} />
      <SchemaSection key={chat.conversation?.id ?? 'new'} chat={chat} />
    </div>
  );
}

function Bounds({ chat: { settings, change } }: { chat: Chat }) {
  return (
    <section aria-label={words.bounds} className="grid gap-3 sm:grid-cols-2">
      <NumberField
        id="temperature"
        label={words.temperature}
        hint={words.temperatureHint}
        value={settings.temperature ?? null}
        isValid={(value) => value >= 0 && value <= TEMPERATURE_MAX}
        fault={words.temperatureFault}
        onChange={(temperature) => change({ temperature })}
      />
      <NumberField
        id="max-tokens"
        label={words.maxTokens}
        hint={words.maxTokensHint}
        value={settings.maxTokens ?? null}
        isValid={(value) => Number.isInteger(value) && value >= 1 && value <= TOKENS_MAX}
        fault={words.maxTokensFault}
        onChange={(maxTokens) => change({ maxTokens })}
      />
    </section>
  );
}

/** Invalid text stays in the field and changes no setting. */
function NumberField({
  id,
  label,
  hint,
  value,
  isValid,
  fault,
  onChange,
}: {
  id: string;
  label: string;
  hint: string;
  value: number | null;
  isValid: (value: number) => boolean;
  fault: string;
  onChange: (value: number | null) => void;
}) {
  const [text, setText] = useState(value === null ? '' : String(value));
  const read = (typed: string) => (typed.trim() === '' ? null : Number(typed));
  const isFaulty = (number: number | null) => number !== null && !(Number.isFinite(number) && isValid(number));
  return (
    <Field label={label} htmlFor={id} hint={hint} message={isFaulty(read(text)) ? fault : undefined}>
      <Input
        id={id}
        inputMode="decimal"
        className="figures"
        placeholder={words.modelsOwn}
        value={text}
        aria-invalid={isFaulty(read(text))}
        aria-describedby={`${id}-message`}
        onChange={({ target }) => {
          setText(target.value);
          const number = read(target.value);
          if (!isFaulty(number)) onChange(number);
        }}
      />
    </Field>
  );
}

function SchemaSection({ chat: { settings, change, model, schema } }: { chat: Chat }) {
  const { schemaText } = settings;
  // Keeps the editor open after the user has emptied it.
  const [isEditing, setIsEditing] = useState(false);
  const isShown = isEditing || schemaText !== '';
  const add = useRef<HTMLButtonElement>(null);
  const tree = schema.kind === 'strict' ? readTree(schemaText) : null;
  return (
    <section aria-labelledby="schema-title" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <h3 id="schema-title" className="flex-1 text-sm font-medium">
          {words.schema}
        </h3>
        {!isShown ? (
          <Button
            ref={add}
            size="sm"
            disabled={model !== null && !model.can.followSchema}
            onClick={() => (setIsEditing(true), change({ schemaText: EXAMPLE_SCHEMA }))}
          >
            <Braces aria-hidden />
            {words.addSchema}
          </Button>
        ) : (
          <>
            <Button
              size="iconSm"
              tone="quiet"
              aria-label={words.formatSchema}
              title={words.formatSchema}
              disabled={tree === null}
              onClick={() => tree !== null && change({ schemaText: formatJson(tree) })}
            >
              <AlignLeft aria-hidden />
            </Button>
            <Button
              size="sm"
              onClick={() => {
                setIsEditing(false);
                change({ schemaText: '' });
                requestAnimationFrame(() => add.current?.focus());
              }}
            >
              <Trash2 aria-hidden />
              {words.removeSchema}
            </Button>
          </>
        )}
      </div>
      {!isShown ? (
        <p className="text-xs text-dim">
          {model === null || model.can.followSchema ? words.schemaWhat : words.noSchemas}
        </p>
      ) : (
        <>
          <div className="flex h-80 flex-col overflow-hidden rounded-md border border-edge">
            <JsonTextEditor
              value={schemaText}
              onChange={(text) => (setIsEditing(true), change({ schemaText: text }))}
              label={words.editor}
              describedBy={STATUS_ID}
              invalid={schema.kind === 'faulty'}
              faultsOf={faultsOf}
            />
          </div>
          <SchemaStatus schema={schema} />
          <p className="text-xs text-dim">{words.strict(model?.can.encrypt === true)}</p>
        </>
      )}
    </section>
  );
}

function SchemaStatus({ schema }: { schema: Chat['schema'] }) {
  if (schema.kind === 'faulty') {
    return (
      <div id={STATUS_ID}>
        <Notice tone="bad" title={words.faults(schema.faults.length)}>
          <ul aria-label={words.faultList} className="grid gap-1">
            {schema.faults.map(({ path, message }) => (
              <li key={`${path} ${message}`} className="flex gap-2 text-xs">
                <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0 text-bad" />
                <span className="min-w-0">
                  {path !== '' && <code className="figures text-ink">{path}: </code>}
                  {message}
                </span>
              </li>
            ))}
          </ul>
        </Notice>
      </div>
    );
  }
  if (schema.kind !== 'strict') {
    return (
      <p id={STATUS_ID} className="text-xs text-dim">
        {schema.kind === 'none' ? words.none : words.pending}
      </p>
    );
  }
  return (
    <p id={STATUS_ID} className="flex items-center gap-2 text-xs text-dim">
      <CircleCheck aria-hidden className="size-3.5 shrink-0 text-good" />
      {words.valid}
    </p>
  );
}

/** Returns only the JSON syntax faults, because a list below the editor shows the schema faults. */
function faultsOf(text: string): TextFault[] {
  const check = checkSchema(text);
  return check.kind === 'faulty'
    ? check.faults.flatMap(({ message, offset }) => (offset === null ? [] : [{ sentence: message, offset }]))
    : [];
}
