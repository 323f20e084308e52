'use client';

import { Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { Switch } from '@/components/ui/switch';
import type { JsonNode } from '@/lib/browser/text/json-document';
import {
  addressFault,
  AMOUNT_UNITS,
  type AmountUnit,
  amountOf,
  BLOCK_TAGS,
  decimalOf,
  memberOf,
  quantityOf,
  unitOf,
  weiOf,
  withMember,
} from './param-values';
import { rpcParameterWords as words } from './tool-words';
import { useState } from 'react';

interface ControlProps {
  id: string;
  name: string;
  node: JsonNode | undefined;
  /** Null removes the parameter. */
  onEdit: (value: JsonNode | null) => void;
}

const textNode = (value: string): JsonNode => ({ kind: 'string', value });

export function BooleanControl({ id, node, onEdit }: ControlProps) {
  const isOn = node?.kind === 'literal' && node.value === true;
  return (
    <span className="flex h-8 items-center gap-2 text-xs text-dim pointer-coarse:h-10">
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        onChange={({ target }) => onEdit({ kind: 'literal', value: target.checked })}
      />
      <span aria-hidden className="figures self-baseline leading-8 pointer-coarse:leading-10">
        {String(isOn)}
      </span>
    </span>
  );
}

/** Control for a block: a tag or a number. The user may type the number in decimal. */
export function BlockControl({ id, name, node, onEdit, isOptional }: ControlProps & { isOptional: boolean }) {
  const value = node?.kind === 'string' ? node.value : '';
  const isTag = BLOCK_TAGS.some((tag) => tag === value);
  const chosen = isTag ? value : node === undefined ? '' : NUMBER;
  return (
    <span className="flex gap-2">
      <Select
        id={id}
        value={chosen}
        aria-describedby={`${id}-hint`}
        className={chosen === NUMBER ? 'w-32 shrink-0' : 'w-full'}
        onChange={(tag) => onEdit(tag === '' ? null : textNode(tag === NUMBER ? '0x0' : tag))}
        options={[
          ...(isOptional || node === undefined ? [{ value: '', label: words.notSent }] : []),
          ...BLOCK_TAGS.map((tag) => ({ value: tag, label: tag })),
          { value: NUMBER, label: words.blockNumber },
        ]}
      />
      {chosen === NUMBER && <QuantityInput label={words.numberOf(name)} value={value} onEdit={onEdit} />}
    </span>
  );
}

const NUMBER = 'number';

export function QuantityControl({ id, node, onEdit }: ControlProps) {
  return <QuantityInput id={id} value={node?.kind === 'string' ? node.value : ''} onEdit={(value) => onEdit(value)} />;
}

function QuantityInput({
  id,
  label,
  value,
  onEdit,
}: {
  id?: string;
  label?: string;
  value: string;
  onEdit: (value: JsonNode) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const isFaulty = typed !== null && quantityOf(typed) === null;
  const other = decimalOf(value);
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <Input
        {...(id === undefined ? {} : { id, 'aria-describedby': `${id}-hint` })}
        {...(label === undefined ? {} : { 'aria-label': label })}
        value={typed ?? value}
        className="figures text-xs"
        inputMode="text"
        placeholder={words.quantityExample}
        aria-invalid={isFaulty}
        onChange={({ target }) => {
          setTyped(target.value);
          const quantity = quantityOf(target.value);
          if (quantity !== null) onEdit(textNode(quantity));
        }}
        onBlur={() => setTyped(null)}
      />
      <span className="figures shrink-0 text-xs text-faint empty:hidden">
        {isFaulty
          ? words.notANumber
          : typed !== null && !typed.startsWith('0x')
            ? value
            : other === null
              ? ''
              : `= ${other}`}
      </span>
    </span>
  );
}

export function AddressControl({ id, node, onEdit, placeholder }: ControlProps & { placeholder: string }) {
  const value = node?.kind === 'string' ? node.value : '';
  const fault = addressFault(value);
  return (
    <>
      <Input
        id={id}
        value={value}
        className="figures text-xs"
        placeholder={placeholder}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault ${id}-hint`}
        onChange={({ target }) => onEdit(textNode(target.value.trim()))}
      />
      <span id={`${id}-fault`} role="status" className="text-xs text-bad empty:hidden">
        {fault}
      </span>
    </>
  );
}

export function TransactionFields({
  id,
  node,
  onEdit,
}: {
  id: string;
  node: JsonNode | undefined;
  onEdit: (value: JsonNode) => void;
}) {
  const value = memberOf(node, 'value');
  return (
    <div className="grid gap-2 border-l border-line pl-3">
      <div className="grid gap-1">
        <label htmlFor={`${id}-to`} className="figures text-xs text-dim">
          {words.members.to}
        </label>
        <AddressControl
          id={`${id}-to`}
          name={words.members.to}
          node={memberOf(node, 'to')}
          placeholder="0x…"
          onEdit={(to) => onEdit(withMember(node, 'to', to?.kind === 'string' && to.value === '' ? null : to))}
        />
      </div>
      <AmountField
        id={`${id}-value`}
        value={value?.kind === 'string' ? value.value : ''}
        onEdit={(wei) => onEdit(withMember(node, 'value', wei === null ? null : textNode(wei)))}
      />
    </div>
  );
}

function AmountField({ id, value, onEdit }: { id: string; value: string; onEdit: (wei: string | null) => void }) {
  const [unit, setUnit] = useState<AmountUnit>(() => unitOf(value));
  const [typed, setTyped] = useState<string | null>(null);
  const isFaulty = typed !== null && typed.trim() !== '' && weiOf(typed, unit) === null;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="figures text-xs text-dim">
        {words.members.value}
      </label>
      <span className="flex gap-2">
        <Input
          id={id}
          value={typed ?? amountOf(value, unit)}
          inputMode="decimal"
          className="figures text-xs"
          placeholder="0"
          aria-invalid={isFaulty}
          aria-describedby={`${id}-fault`}
          onChange={({ target }) => {
            setTyped(target.value);
            const wei = weiOf(target.value, unit);
            if (target.value.trim() === '') onEdit(null);
            else if (wei !== null) onEdit(wei);
          }}
          onBlur={() => setTyped(null)}
        />
        <Select
          aria-label={words.unit}
          value={unit}
          className="w-24 shrink-0"
          onChange={(chosen) => {
            const next = UNITS.find((each) => each === chosen) ?? 'ether';
            setUnit(next);
          }}
          options={UNITS.map((each) => ({ value: each, label: each }))}
        />
      </span>
      <span id={`${id}-fault`} role="status" className="text-xs text-bad empty:hidden">
        {isFaulty ? words.notAnAmount(unit) : ''}
      </span>
    </div>
  );
}

const UNITS = Object.keys(AMOUNT_UNITS) as readonly AmountUnit[];
