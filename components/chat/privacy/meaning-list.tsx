import { checkWords } from './check-words';
import { CHECK_GROUPS } from './grouped-checks';

export function MeaningList() {
  return CHECK_GROUPS.map(({ title, ids }) => (
    <section key={title} className="grid gap-1.5">
      <h4 className="font-medium">{title}</h4>
      <ul className="grid list-disc gap-1 pl-4 text-dim">
        {ids.map((id) => (
          <li key={id}>{checkWords.about[id]}</li>
        ))}
      </ul>
    </section>
  ));
}
