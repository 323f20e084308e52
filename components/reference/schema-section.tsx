import type { Schema } from '@/lib/browser/api-reference/api-description';
import { referenceWords } from '@/lib/browser/words/reference';
import { memo } from 'react';
import { ListSection } from './list-section';
import { SchemaTree } from './schema-tree';

export const SchemaSection = memo(function SchemaSection({
  names,
  schemas,
}: {
  names: readonly string[];
  schemas: ReadonlyMap<string, Schema>;
}) {
  if (names.length === 0) return null;
  return (
    <ListSection id="schemas" title={referenceWords.lists.schemas} note={referenceWords.lists.schemasNote}>
      {names.map((name) => (
        <NamedSchema key={name} name={name} schemas={schemas} />
      ))}
    </ListSection>
  );
});

const NamedSchema = memo(function NamedSchema({
  name,
  schemas,
}: {
  name: string;
  schemas: ReadonlyMap<string, Schema>;
}) {
  return (
    <div id={`schema-${name}`} className="grid scroll-mt-28 gap-2 laid-out-in-sight lg:scroll-mt-4">
      <h3 className="figures text-sm font-semibold">{name}</h3>
      <SchemaTree schema={schemas.get(name) ?? {}} schemas={schemas} />
    </div>
  );
});
