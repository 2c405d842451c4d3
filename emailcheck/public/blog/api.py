"""The blog for programs."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.views import PublicView
from emailcheck.common.api.serializers import build_shape, validate_query, with_errors
from emailcheck.common.errors import NotFound
from emailcheck.public.blog import posts
from emailcheck.public.blog.posts import ALL, CATEGORIES, CATEGORY_CHOICES

PAGE, MOST = 6, 50

PostsQuerySerializer = build_shape(
    "PostsQuerySerializer",
    "Which articles.",
    category=serializers.ChoiceField(choices=[ALL, *CATEGORIES], required=False, default=ALL),
    offset=serializers.IntegerField(min_value=0, required=False, default=0),
    limit=serializers.IntegerField(min_value=1, max_value=MOST, required=False, default=PAGE),
)


class PostSerializer(serializers.Serializer[posts.Post]):
    slug = serializers.CharField()
    title = serializers.CharField()
    excerpt = serializers.CharField()
    category = serializers.ChoiceField(choices=CATEGORY_CHOICES)
    author = serializers.CharField()
    date = serializers.DateField()
    read_time = serializers.CharField()
    image = serializers.URLField(help_text="A picture (SVG).")


class PostDetailSerializer(PostSerializer):
    content_html = serializers.CharField(source="html")


PostsSerializer = build_shape(
    "PostsSerializer",
    "Articles, newest first.",
    posts=PostSerializer(many=True),
    counts=serializers.DictField(child=serializers.IntegerField(), help_text="Articles by category, and of `all`."),
    total=serializers.IntegerField(help_text="Articles of the category that was asked for."),
)


class Posts(PublicView):
    """The articles of the blog."""

    @extend_schema(
        operation_id="blog_posts",
        auth=[],
        parameters=[PostsQuerySerializer],
        responses=with_errors(PostsSerializer, 400, 429),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(PostsQuerySerializer, request.query_params)
        found = posts.list_category(query["category"])
        page = found[query["offset"] : query["offset"] + query["limit"]]
        answer = {"posts": page, "counts": posts.count_posts(), "total": len(found)}
        return Response(PostsSerializer(answer).data)


class PostDetail(PublicView):
    """One article with its text."""

    @extend_schema(operation_id="blog_post", auth=[], responses=with_errors(PostDetailSerializer, 404, 429))
    def get(self, request: Request, slug: str) -> Response:
        found = posts.find_post(slug)
        if found is None:
            raise NotFound("Post not found")
        return Response(PostDetailSerializer(found).data)
