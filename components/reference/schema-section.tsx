import type { Schema } from '@/lib/browser/api-reference/api-description';
import { referenceWords } from '@/lib/browser/words/reference';
import { ListSection } from './list-section';
import { SchemaTree } from './schema-tree';

/** The named schemas, which operations refer to. */
export function SchemaSection({ names, schemas }: { names: readonly string[]; schemas: ReadonlyMap<string, Schema> }) {
  if (names.length === 0) return null;
  return (
    <ListSection id="schemas" title={referenceWords.lists.schemas} note={referenceWords.lists.schemasNote}>
      {names.map((name) => (
        <div key={name} id={`schema-${name}`} className="grid scroll-mt-28 gap-2 lg:scroll-mt-4">
          <h3 className="figures text-sm font-semibold">{name}</h3>
          <SchemaTree schema={schemas.get(name) ?? {}} schemas={schemas} />
        </div>
      ))}
    </ListSection>
  );
}
