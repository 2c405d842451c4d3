import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { Invited, Member, Organisation, Team } from "../../../api/types";
import { api, deleteWithBody, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";

const ORGANISATION = ["organisation"];
const TEAM = ["organisation", "members"];

/** The organisation in which one works. */
export function useOrganisation(): UseQueryResult<Organisation> {
  return useQuery({ queryKey: ORGANISATION, queryFn: () => readData(api.GET("/api/organisation")) });
}

/** Who belongs to it, who is invited, and the roles there are. */
export function useTeam(): UseQueryResult<Team> {
  return useQuery({ queryKey: TEAM, queryFn: () => readData(api.GET("/api/organisation/members")) });
}

export function refreshTeam(): void {
  void queryClient.invalidateQueries({ queryKey: ORGANISATION });
}

export type Role = Member["role"];

export function renameOrganisation(name: string): Promise<unknown> {
  return readData(api.PUT("/api/organisation", { body: { name } }));
}

export function deleteOrganisation(name: string, password: string): Promise<void> {
  return deleteWithBody("/api/organisation", { name, password });
}

export function inviteMember(email: string, role: Role): Promise<unknown> {
  return readData(api.POST("/api/organisation/invitations", { body: { email, role } }));
}

function atInvitation({ id }: Invited) {
  return { params: { path: { invitation_id: id } } };
}

function atMember({ id }: Member) {
  return { params: { path: { member_id: id } } };
}

export async function resendInvitation(invitation: Invited): Promise<void> {
  await api.POST("/api/organisation/invitations/{invitation_id}/resend", atInvitation(invitation));
}

export async function revokeInvitation(invitation: Invited): Promise<void> {
  await api.DELETE("/api/organisation/invitations/{invitation_id}", atInvitation(invitation));
}

export async function changeRole(member: Member, role: Role): Promise<void> {
  await api.PUT("/api/organisation/members/{member_id}", { ...atMember(member), body: { role } });
}

export async function removeMember(member: Member): Promise<void> {
  await api.DELETE("/api/organisation/members/{member_id}", atMember(member));
}

export async function leaveOrganisation(): Promise<void> {
  await api.POST("/api/organisation/leave");
}

/** The proof is the password, or a code of the second factor. */
export async function offerOwnership(
  member_id: Member["id"],
  proof: { password: string; code: string },
): Promise<void> {
  await api.POST("/api/organisation/transfer", { body: { member_id, ...proof } });
}

export async function withdrawOffer(): Promise<void> {
  await api.DELETE("/api/organisation/transfer");
}

export async function answerOffer(answer: "accept" | "decline"): Promise<void> {
  if (answer === "accept") await api.POST("/api/organisation/transfer/accept");
  else await api.POST("/api/organisation/transfer/decline");
}
