"use client";

import { useEffect, useRef, useState } from "react";
import { noticeSessionEnd } from "@/components/requests/session-end";

interface Callbacks<Result, Variables> {
  onSuccess?: (result: Result, variables: Variables) => void;
  onError?: (error: Error, variables: Variables) => void;
}

interface State<Result, Variables> {
  status: "idle" | "pending" | "success" | "error";
  data?: Result;
  error: Error | null;
  /** What the last call sent. */
  variables?: Variables;
}

export interface Mutation<Result, Variables> {
  /** Callbacks given here are not called after `reset`, a further call, or the end of the component. */
  mutate: (variables: Variables, callbacks?: Callbacks<Result, Variables>) => void;
  /** Forgets the result of the last call, even one that is still running. */
  reset: () => void;
  isIdle: boolean;
  isPending: boolean;
  isSuccess: boolean;
  data: Result | undefined;
  error: Error | null;
  variables: Variables | undefined;
}

const IDLE = { status: "idle", error: null } as const;

/**
 * A request that a person starts, with its state. `onSuccess` and `onError` given here are always called. Our own, because
 * every page loads it and React Query has ten times its size.
 */
export function useMutation<Result, Variables = void>({
  mutationFn,
  onSuccess,
  onError,
}: Callbacks<Result, Variables> & { mutationFn: (variables: Variables) => Promise<Result> }): Mutation<
  Result,
  Variables
> {
  const [state, setState] = useState<State<Result, Variables>>(IDLE);
  /** The number of the call whose result counts. */
  const current = useRef(0);
  useEffect(
    () => () => {
      current.current += 1;
    },
    [],
  );

  async function mutate(variables: Variables, callbacks?: Callbacks<Result, Variables>) {
    current.current += 1;
    const call = current.current;
    const isCurrent = () => current.current === call;
    setState({ status: "pending", error: null, variables });
    let data: Result;
    try {
      data = await mutationFn(variables);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      noticeSessionEnd(error);
      onError?.(error, variables);
      if (!isCurrent()) return;
      setState({ status: "error", error, variables });
      callbacks?.onError?.(error, variables);
      return;
    }
    onSuccess?.(data, variables);
    if (!isCurrent()) return;
    setState({ status: "success", data, error: null, variables });
    callbacks?.onSuccess?.(data, variables);
  }

  return {
    mutate: (variables, callbacks) => void mutate(variables, callbacks),
    reset: () => {
      current.current += 1;
      setState(IDLE);
    },
    isIdle: state.status === "idle",
    isPending: state.status === "pending",
    isSuccess: state.status === "success",
    data: state.data,
    error: state.error,
    variables: state.variables,
  };
}
