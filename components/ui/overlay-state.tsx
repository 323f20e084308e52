'use client';

import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';

/** Whether a popover or a dialog is open, and what opened it. */
export interface OverlayState {
  open: boolean;
  setOpen: (open: boolean) => void;
  /** The control that it belongs to; null where it is opened from elsewhere. */
  trigger: RefObject<HTMLElement | null>;
  /** Says which control that is. */
  setTrigger: (control: HTMLElement | null) => void;
  /** The id of the panel. */
  panelId: string;
}

const Context = createContext<OverlayState | null>(null);

interface OverlayProps {
  /** Left out, it keeps the state itself. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

/** Around a trigger and its panel. */
export function Overlay({ open: given, onOpenChange, children }: OverlayProps) {
  const [own, setOwn] = useState(false);
  const trigger = useRef<HTMLElement | null>(null);
  const setTrigger = useCallback((control: HTMLElement | null) => {
    trigger.current = control;
  }, []);
  const panelId = useId();
  const open = given ?? own;
  const state = useMemo<OverlayState>(() => {
    const setOpen = (next: boolean) => {
      setOwn(next);
      onOpenChange?.(next);
    };
    return { open, setOpen, trigger, setTrigger, panelId };
  }, [open, onOpenChange, setTrigger, panelId]);
  return <Context value={state}>{children}</Context>;
}

/** The state of the overlay around. @throws Error outside one */
export function useOverlay(): OverlayState {
  const state = use(Context);
  if (state === null) throw new Error('A part of an overlay stands outside it.');
  return state;
}
