import { cloneElement, type ComponentProps, isValidElement, type ReactNode, type Ref } from 'react';
import { cn } from './class-names';

type SlotProps = ComponentProps<'button'>;
type Handler = (event: unknown) => void;

/**
 * Renders its one child with additional properties, so that a link can look like a button. The child's properties win.
 * If slot and child handle the same event, the child's handler runs first. Joins classes and sets both refs.
 * @throws Error if the children are not exactly one element
 */
export function Slot({ children, ...props }: SlotProps): ReactNode {
  if (!isValidElement<Record<string, unknown>>(children)) throw new Error('A slot needs a single element.');
  return cloneElement(children, mergedProps(props, children.props));
}

function mergedProps(ours: Record<string, unknown>, theirs: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...ours, ...theirs };
  for (const name of Object.keys(ours)) {
    const [own, other] = [ours[name], theirs[name]];
    if (own === undefined || other === undefined) merged[name] = other ?? own;
    else if (name === 'className') merged[name] = cn(String(own), String(other));
    else if (name === 'style') merged[name] = { ...(own as object), ...(other as object) };
    else if (name === 'ref') merged[name] = bothRefs(own as Ref<unknown>, other as Ref<unknown>);
    else if (/^on[A-Z]/.test(name)) merged[name] = inTurn(other as Handler, own as Handler);
  }
  return merged;
}

function inTurn(first: Handler, second: Handler): Handler {
  return (event) => {
    first(event);
    second(event);
  };
}

function bothRefs(...refs: readonly Ref<unknown>[]): Ref<unknown> {
  return (element) => {
    const leave = refs.map((ref) => setRef(ref, element));
    return () => leave.forEach((undo) => undo());
  };
}

/** @returns clean-up function: the one that the callback ref returned, else a function that unsets the ref */
function setRef(ref: Ref<unknown>, element: unknown): () => void {
  if (typeof ref === 'function') {
    const undo = ref(element);
    return typeof undo === 'function' ? undo : () => void ref(null);
  }
  if (ref !== null) ref.current = element;
  return () => {
    if (ref !== null) ref.current = null;
  };
}
