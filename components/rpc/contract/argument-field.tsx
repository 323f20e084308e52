'use client';

import { Field, Input } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { typeOf } from '@/lib/browser/rpc/contract/contract-abi';
import { exampleOf, isCompound } from '@/lib/browser/rpc/contract/read-argument';
import { typeBeside } from '@/lib/browser/rpc/type-beside';
import { rpcContractWords as words } from '@/lib/browser/words/rpc-tools';
import type { AbiParameter } from 'viem';
import { useId } from 'react';

interface ArgumentFieldProps {
  parameter: AbiParameter;
  index: number;
  value: string;
  /** Fault in the argument; undefined if valid or still empty. */
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
