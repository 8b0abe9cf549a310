"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/destinations/contract");

/** Does not reload the page: it still shows a secret, or leaves for another page. */
export const useCreateDestination = () => useEndpoint(async () => (await contract()).createDestination, false);
export const useTryDestination = () => useEndpoint(async () => (await contract()).tryDestination, false);
export const useTestDestination = () => useEndpoint(async () => (await contract()).testDestination, false);
export const useUpdateDestination = () => useEndpoint(async () => (await contract()).updateDestination, false);
export const usePauseDestination = () => useEndpoint(async () => (await contract()).pauseDestination);
export const useResumeDestination = () => useEndpoint(async () => (await contract()).resumeDestination);
export const useReplayDestination = () => useEndpoint(async () => (await contract()).replayDestination);
export const useRotateDestinationSecret = () =>
  useEndpoint(async () => (await contract()).rotateDestinationSecret, false);
export const useDeleteDestination = () => useEndpoint(async () => (await contract()).deleteDestination, false);
