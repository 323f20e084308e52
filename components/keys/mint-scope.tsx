'use client';

import { Button } from '@/components/ui/button';
import { Combobox } from '@/components/ui/combobox';
import type { ComboboxGroup } from '@/components/ui/options';
import { type MintFields, namesOf, withName } from './mint-fields';
import { useNetworks } from '@/lib/browser/reads/networks';
import { useOfferedModels } from '@/lib/browser/reads/offered-models';
import { keyBudgetWords, mintWords } from './key-list-words';
import { SOLD } from '@/lib/protocol/api-keys/key-scope';
import { Check, X } from 'lucide-react';
import { useMemo } from 'react';

const words = mintWords.scope;

/**
 * Shows what a new key may buy, on which networks and with which models, as chips. If nothing is chosen, the key allows
 * everything.
 */
export function MintScope({
  fields: { endpoints, networks, models },
  disabled,
  onEdit,
}: {
  fields: MintFields;
  disabled: boolean;
  onEdit: (change: Partial<MintFields>) => void;
}) {
  const known = useNetworks();
  const offered = useOfferedModels();
  const networkOptions = useMemo(
    () => optionsOf(known.networks.map(({ slug, name }) => ({ value: slug, name }))),
    [known.networks],
  );
  const modelOptions = useMemo(
    () => optionsOf((offered.models ?? []).map(({ id, name }) => ({ value: id, name }))),
    [offered.models],
  );
  return (
    <div className="grid gap-3">
      <div role="group" aria-label={keyBudgetWords.endpoints} className="grid gap-1.5">
        <p className="text-sm font-medium">
          {keyBudgetWords.endpoints} <span className="text-xs font-normal text-faint">{words.all}</span>
        </p>
        <div className="flex flex-wrap gap-1.5">
          {SOLD.map((each) => {
            const isIn = namesOf(endpoints).includes(each);
            return (
              <Button
                key={each}
                size="sm"
                aria-pressed={isIn}
                disabled={disabled}
                className="rounded-full aria-pressed:border-amber-line aria-pressed:bg-amber-soft"
                onClick={() => onEdit({ endpoints: withName(endpoints, each, !isIn) })}
              >
                {isIn && <Check aria-hidden />}
                {keyBudgetWords.endpointNames[each]}
              </Button>
            );
          })}
        </div>
      </div>
      <NameChips
        label={keyBudgetWords.networks}
        add={words.addNetwork}
        search={words.searchNetworks}
        field={networks}
        options={networkOptions}
        disabled={disabled}
        onChange={(changed) => onEdit({ networks: changed })}
      />
      <NameChips
        label={keyBudgetWords.models}
        add={words.addModel}
        search={words.searchModels}
        field={models}
        options={modelOptions}
        disabled={disabled}
        onChange={(changed) => onEdit({ models: changed })}
      />
    </div>
  );
}

type Options = ComboboxGroup['options'];

function optionsOf(named: readonly { value: string; name: string }[]): Options {
  return named.map(({ value, name }) => ({
    value,
    keywords: [name],
    content: <span className="truncate">{value}</span>,
  }));
}

const NAMES_MAX = 100;

function NameChips({
  label,
  add,
  search,
  field,
  options,
  disabled,
  onChange,
}: {
  label: string;
  add: string;
  search: string;
  field: string;
  options: Options;
  disabled: boolean;
  onChange: (field: string) => void;
}) {
  const names = namesOf(field);
  return (
    <div role="group" aria-label={label} className="grid gap-1.5">
      <p className="text-sm font-medium">
        {label} <span className="text-xs font-normal text-faint">{words.all}</span>
      </p>
      <div className="flex flex-wrap items-center gap-1.5">
        {names.map((name) => (
          <Button
            key={name}
            size="sm"
            disabled={disabled}
            aria-label={words.remove(name)}
            className="max-w-full rounded-full border-amber-line bg-amber-soft"
            onClick={() => onChange(withName(field, name, false))}
          >
            <span className="truncate">{name}</span>
            <X aria-hidden />
          </Button>
        ))}
        <Combobox
          label={add}
          value={null}
          disabled={disabled || names.length >= NAMES_MAX}
          onChoose={(name) => onChange(withName(field, name, true))}
          groups={[{ heading: label, options: options.filter(({ value }) => !names.includes(value)) }]}
          searchPlaceholder={search}
          emptyText={words.nothingFound}
          className="w-44"
        >
          <span className="text-dim">{add}</span>
        </Combobox>
      </div>
    </div>
  );
}
