'use client';

import { JsonTextEditor } from '@/components/editor/json-text-editor';
import type { TextFault } from '@/components/editor/json-text-props';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { checkSchema, EXAMPLE_SCHEMA } from '@/lib/browser/chat/schema-check';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { useHydrated } from '@/lib/browser/hydrated';
import { formatJson } from '@/lib/browser/json-format';
import { readTree } from '@/lib/browser/json-document';
import { AlignLeft, Braces, CircleAlert, CircleCheck, Trash2 } from 'lucide-react';

const STATUS_ID = 'schema-status';

/** What a conversation is asked with beside its questions: a system prompt, and a schema for its answers. */
export function SetupTab({ chat }: { chat: Chat }) {
  const { settings, change, model } = chat;
  const hydrated = useHydrated();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-3 lg:p-4">
      <section className="grid gap-1.5">
        <label htmlFor="system-prompt" className="text-sm font-medium">
          System prompt
        </label>
        <textarea
          id="system-prompt"
          rows={4}
          readOnly={!hydrated}
          value={settings.systemPrompt}
          placeholder="Who the model is to be, and how it is to answer."
          onChange={(event) => change({ systemPrompt: event.target.value })}
          className="w-full resize-y rounded-md border border-edge bg-ground px-2.5 py-2 text-sm placeholder:text-faint"
        />
        <p className="text-xs text-dim">Sent before every question of this conversation{model?.can.encrypt ? ', encrypted like them' : ''}. The gateway adds none of its own.</p>
      </section>
      <SchemaSection chat={chat} />
    </div>
  );
}

function SchemaSection({ chat: { settings, change, model, schema } }: { chat: Chat }) {
  const { schemaText } = settings;
  const tree = schema.kind === 'strict' ? readTree(schemaText) : null;
  return (
    <section aria-labelledby="schema-title" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <h3 id="schema-title" className="flex-1 text-sm font-medium">
          JSON schema of the answers
        </h3>
        {schemaText === '' ? (
          <Button size="sm" disabled={model !== null && !model.can.followSchema} onClick={() => change({ schemaText: EXAMPLE_SCHEMA })}>
            <Braces aria-hidden />
            Add a schema
          </Button>
        ) : (
          <>
            <Button size="iconSm" tone="quiet" aria-label="Format the schema" title="Format the schema" disabled={tree === null} onClick={() => tree !== null && change({ schemaText: formatJson(tree) })}>
              <AlignLeft aria-hidden />
            </Button>
            <Button size="sm" onClick={() => change({ schemaText: '' })}>
              <Trash2 aria-hidden />
              Take it out
            </Button>
          </>
        )}
      </div>
      {schemaText === '' ? (
        <p className="text-xs text-dim">
          {model === null || model.can.followSchema ? 'With a schema, every answer is a JSON document of exactly that form, and is checked against it here.' : 'This model takes no schema; choose one with the badge “schema”.'}
        </p>
      ) : (
        <>
          <div className="flex h-80 flex-col overflow-hidden rounded-md border border-edge">
            <JsonTextEditor value={schemaText} onChange={(text) => change({ schemaText: text })} label="JSON schema" describedBy={STATUS_ID} invalid={schema.kind === 'faulty'} faultsOf={faultsOf} />
          </div>
          <SchemaStatus schema={schema} />
          <p className="text-xs text-dim">
            Strict: every property is required, and no others may appear; allow null to make one optional.{model?.can.encrypt ? ' The schema itself is not encrypted: put nothing confidential into its names and descriptions.' : ''}
          </p>
        </>
      )}
    </section>
  );
}

function SchemaStatus({ schema }: { schema: Chat['schema'] }) {
  if (schema.kind === 'faulty') {
    return (
      <div id={STATUS_ID}>
        <Notice tone="bad" title={schema.faults.length === 1 ? 'The schema has a fault; nothing is sent with it.' : `The schema has ${schema.faults.length} faults; nothing is sent with it.`}>
          <ul aria-label="Faults of the schema" className="grid gap-1">
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
  return (
    <p id={STATUS_ID} className="flex items-center gap-2 text-xs text-dim">
      <CircleCheck aria-hidden className="size-3.5 shrink-0 text-good" />
      A strict schema: the gateway takes it.
    </p>
  );
}

/** Faults of JSON are marked where they are; those of the schema stand below, by path. */
function faultsOf(text: string): TextFault[] {
  const check = checkSchema(text);
  return check.kind === 'faulty' ? check.faults.flatMap(({ message, offset }) => (offset === null ? [] : [{ sentence: message, offset }])) : [];
}
